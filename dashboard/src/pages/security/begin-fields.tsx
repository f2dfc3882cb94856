import { PasswordInput, TextInput } from '@mantine/core';
import { ApiError } from '../../api/client.ts';

/** What begins a new factor. */
export type Begun = { name: string; current_password?: string };

type Fault = { field: 'name' | 'current_password' | null; words: string };

type Props = { isFirst: boolean; placeholder: string; fault: Fault };

/** The name of a new factor, and the password for the first one. */
export function BeginFields({ isFirst, placeholder, fault }: Props) {
  return (
    <>
      <TextInput
        name="name"
        label="Name"
        description="By which you recognize it."
        placeholder={placeholder}
        required
        maxLength={100}
        autoComplete="off"
        error={fault.field === 'name' && fault.words}
        data-autofocus
      />
      {isFirst && (
        <PasswordInput
          name="current_password"
          label="Your password"
          autoComplete="current-password"
          required
          error={fault.field === 'current_password' && fault.words}
        />
      )}
    </>
  );
}

export function readBegin(form: HTMLFormElement): Begun {
  const typed = new FormData(form);
  const password = typed.get('current_password');
  return {
    name: String(typed.get('name')),
    ...(password === null ? {} : { current_password: String(password) }),
  };
}

/** The field that has the error; null for an error of no field. */
export function beginFault(error: Error | null): Fault {
  if (!(error instanceof ApiError)) return { field: null, words: '' };
  if (error.code === 'wrong_credentials') return { field: 'current_password', words: error.message };
  const name = error.fieldMessage('name');
  if (name !== null) return { field: 'name', words: `The name ${name}.` };
  const password = error.fieldMessage('current_password');
  if (password !== null) return { field: 'current_password', words: `The password ${password}.` };
  return { field: null, words: '' };
}

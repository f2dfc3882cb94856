import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { saveFile } from './save-file.ts';

type Props = ButtonProps & { name: string; read: () => Blob | Promise<Blob>; children: ReactNode };

/** Saves a file that the page makes. `name`: of the file. */
export function SaveButton({ name, read, children, ...button }: Props) {
  const save = useMutation({ mutationFn: async () => saveFile(name, await read()) });
  return (
    <Button {...button} loading={save.isPending} onClick={() => save.mutate()}>
      {save.isError ? 'Not saved: try again' : children}
    </Button>
  );
}

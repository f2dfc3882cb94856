import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';

type Options<Data, Typed> = Pick<UseMutationOptions<Data, Error, Typed>, 'mutationFn' | 'onSettled'>;

/**
 * A mutation whose response has a secret that is shown once. From sending on, unless it fails, the dialog and the
 * page cannot be left: the secret would be lost. A ref, because state changes only with the next render.
 */
export function useSecretMutation<Data, Typed = void>(options: Options<Data, Typed>, onClose: () => void) {
  const locked = useRef(false);
  const isLocked = () => locked.current;
  useBlocker({ shouldBlockFn: isLocked, enableBeforeUnload: isLocked });
  const mutation = useMutation({
    ...options,
    onError: () => {
      locked.current = false;
    },
  });
  return {
    ...mutation,
    mutate(typed: Typed) {
      locked.current = true;
      mutation.mutate(typed);
    },
    close: () => !isLocked() && onClose(),
  };
}

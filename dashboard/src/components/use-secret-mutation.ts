import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';

type Options<Data, Typed> = Pick<UseMutationOptions<Data, Error, Typed>, 'mutationFn' | 'onSettled'>;

/**
 * A mutation whose answer is shown this once. From the moment it is sent, unless it fails, `close` does nothing and no
 * step back leaves the page: what was made would be lost. A ref, because what is rendered knows of a click, and of an
 * answer, a moment later.
 */
export function useSecretMutation<Data, Typed = void>(options: Options<Data, Typed>, onClose: () => void) {
  const held = useRef(false);
  const isHeld = () => held.current;
  useBlocker({ shouldBlockFn: isHeld, enableBeforeUnload: isHeld });
  const mutation = useMutation({
    ...options,
    onError: () => {
      held.current = false;
    },
  });
  return {
    ...mutation,
    mutate(typed: Typed) {
      held.current = true;
      mutation.mutate(typed);
    },
    close: () => !isHeld() && onClose(),
  };
}

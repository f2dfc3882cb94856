import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

type Props = ButtonProps & { name: string; read: () => Blob | Promise<Blob>; children: ReactNode };

/** Saves a file that the page makes. `name`: of the file. */
export function SaveButton({ name, read, children, ...button }: Props) {
  const save = useMutation({
    mutationFn: async () => {
      const url = URL.createObjectURL(await read());
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      URL.revokeObjectURL(url);
    },
  });
  return (
    <Button {...button} loading={save.isPending} onClick={() => save.mutate()}>
      {save.isError ? 'Not saved: try again' : children}
    </Button>
  );
}

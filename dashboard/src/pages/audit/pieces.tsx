import { Text } from '@mantine/core';
import { createElement, Fragment } from 'react';
import { shortened } from '../../components/copy.tsx';
import { TextLink } from '../../components/text-link.tsx';
import type { Piece, Thing } from './told.ts';

const ABOVE_ROW = { root: 'above-row-link' };

/** A sentence with its links. */
export function Pieces({ pieces }: { pieces: Piece[] }) {
  // As children of their own: the pieces of an entry never change their places, and need no keys.
  return createElement(
    Fragment,
    null,
    ...pieces.map((piece) => (typeof piece === 'string' ? piece : createElement(Named, piece))),
  );
}

function Named({ text, path, tab, long = false }: Thing) {
  const shown = long ? shortened(text) : text;
  const title = shown === text ? undefined : text;
  if (path !== undefined)
    return (
      <TextLink to={path} search={tab ? { tab } : {}} inherit fw={550} title={title} classNames={ABOVE_ROW}>
        {shown}
      </TextLink>
    );
  return (
    <Text component="span" inherit fw={550} title={title}>
      {shown}
    </Text>
  );
}

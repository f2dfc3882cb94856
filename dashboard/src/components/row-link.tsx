import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** Not by className: the router overwrites className on the link of the current page. */
const CLASS_NAMES = { root: 'row-link' };

function RowAnchor(props: AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>) {
  return <Anchor classNames={CLASS_NAMES} underline="never" c="inherit" {...props} />;
}

/** In a cell of an infinite table: makes the whole row a link. */
export const RowLink = createLink(RowAnchor);

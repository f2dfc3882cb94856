import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** Not by className: the router gives that to the link of the page that is shown, and it would be lost there. */
const CLASS_NAMES = { root: 'row-link' };

function RowAnchor(props: AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>) {
  return <Anchor classNames={CLASS_NAMES} underline="never" c="inherit" {...props} />;
}

/** In a cell of an endless table: opens the whole row's page. */
export const RowLink = createLink(RowAnchor);

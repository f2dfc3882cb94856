import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

function SmallAnchor(props: AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>) {
  return <Anchor size="sm" {...props} />;
}

/** A link in running text to another page of the dashboard. */
export const TextLink = createLink(SmallAnchor);

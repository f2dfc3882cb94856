import { Box, Code } from '@mantine/core';
import { CopyButton } from '../../components/copy.tsx';

/** Preformatted text that can be scrolled and copied. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <Box pos="relative">
      <Code
        block
        role="group"
        aria-label={label}
        tabIndex={0} // allows scrolling by keyboard
        mah={480}
        pr={44}
        bd="1px solid var(--mantine-color-default-border)"
        style={{ overflow: 'auto' }}
      >
        {code}
      </Code>
      <Box pos="absolute" top={6} right={6} p={2} bg="var(--mantine-color-body)" bdrs="sm" lh={0}>
        <CopyButton value={code} what={label.toLowerCase()} />
      </Box>
    </Box>
  );
}

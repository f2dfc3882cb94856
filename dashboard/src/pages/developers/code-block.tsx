import { Box, Code } from '@mantine/core';
import { CopyButton } from '../../components/copy.tsx';
import { colouredCode, type Language } from './coloured-code.ts';
import './code-block.css';

type Props = {
  label: string;
  code: string;
  /** Of an example, whose parts then have colours. */
  language?: Language;
};

/** Preformatted text that can be scrolled and copied. */
export function CodeBlock({ label, code, language }: Props) {
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
        {language === undefined ? code : <Coloured code={code} language={language} />}
      </Code>
      <Box pos="absolute" top={6} right={6} p={2} bg="var(--mantine-color-body)" bdrs="sm" lh={0}>
        <CopyButton value={code} what={label.toLowerCase()} />
      </Box>
    </Box>
  );
}

function Coloured({ code, language }: { code: string; language: Language }) {
  return colouredCode(code, language).map(({ text, kind }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other order
    <span key={index} className={kind && `code-${kind}`}>
      {text}
    </span>
  ));
}

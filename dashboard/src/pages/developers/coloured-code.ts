/** Pure: the parts of an example's code that have a colour. It knows what the examples use, not whole languages. */
export type Language = 'curl' | 'TypeScript' | 'Python';

export type Part = { text: string; kind?: 'comment' | 'string' | 'keyword' };

const COMMENTS: Record<Language, string> = {
  // Not within a word: ${SECRET#whsec_}
  curl: String.raw`(?<=^|\s)#.*`,
  TypeScript: String.raw`//.*|/\*[^]*?\*/`,
  Python: '#.*',
};

const STRINGS: Record<Language, string> = {
  curl: String.raw`'[^']*'|"(?:\\.|[^"\\])*"`,
  TypeScript: String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\`(?:\\.|[^\`\\])*\``,
  Python: String.raw`[bf]?(?:"""[^]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')`,
};

const KEYWORDS: Record<Language, string> = {
  curl: 'curl|printf|openssl|cut|base64|od|tr|sed|npx',
  TypeScript:
    'import|from|type|const|let|await|async|for|of|if|return|throw|new|do|while|break|as|null|process|true|false',
  Python:
    'import|from|as|with|while|for|in|if|else|def|class|return|try|except|raise|break|not|or|and|None|True|False|lambda',
};

/** Splits the code. The parts put together are the code. */
export function colouredCode(code: string, language: Language): Part[] {
  const pattern = new RegExp(
    `(?<comment>${COMMENTS[language]})|(?<string>${STRINGS[language]})|(?<keyword>\\b(?:${KEYWORDS[language]})\\b)`,
    'gm',
  );
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(pattern)) {
    if (index > end) parts.push({ text: code.slice(end, index) });
    const kind = (['comment', 'string', 'keyword'] as const).find((name) => groups[name] !== undefined);
    parts.push({ text, ...(kind && { kind }) });
    end = index + text.length;
  }
  if (end < code.length) parts.push({ text: code.slice(end) });
  return parts;
}

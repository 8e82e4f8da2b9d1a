import highlight from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { cssGrammar as css } from './cssGrammar.ts';

const languages = {
  bash,
  cpp,
  css,
  diff,
  go,
  java,
  json,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, grammar] of Object.entries(languages)) highlight.registerLanguage(name, grammar);
// The grammar of TypeScript includes that of JavaScript.
highlight.registerAliases(['javascript', 'js', 'jsx', 'mjs', 'cjs'], { languageName: 'typescript' });

/** Maximum characters to highlight. More would block the page. */
const highlightLimit = 50_000;

/** Returns escaped HTML with `hljs-` classes; `undefined` for an unknown language or too much code. */
export function highlightCode(code: string, language: string): string | undefined {
  if (code.length > highlightLimit || !highlight.getLanguage(language)) return undefined;
  return highlight.highlight(code, { language, ignoreIllegals: true }).value;
}

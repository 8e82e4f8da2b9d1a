import type { HLJSApi, Language } from 'highlight.js';

/** A small grammar of CSS. The one of the library lists all properties and tags, which makes it large. */
export function cssGrammar({ C_BLOCK_COMMENT_MODE, APOS_STRING_MODE, QUOTE_STRING_MODE }: HLJSApi): Language {
  const strings = [C_BLOCK_COMMENT_MODE, APOS_STRING_MODE, QUOTE_STRING_MODE];
  const number = { scope: 'number', begin: /#[\da-f]{3,8}\b|[+-]?\b\d*\.?\d+(%|[a-z]+)?/ };
  return {
    name: 'CSS',
    case_insensitive: true,
    contains: [
      ...strings,
      { scope: 'keyword', begin: /@[\w-]+/ },
      { scope: 'selector-class', begin: /[.#][a-z_-][\w-]*/ },
      {
        // Matches a declaration, not a selector with a pseudo-class: no block begins before its end.
        begin: /[\w-]+(?=\s*:[^{}]*(?:[;}]|$))/,
        end: /(?=[;{}])/,
        returnBegin: true,
        contains: [
          { scope: 'attribute', begin: /[\w-]+(?=\s*:)/ },
          ...strings,
          number,
          { scope: 'built_in', begin: /[\w-]+(?=\()/ },
          { scope: 'meta', begin: /!important/ },
        ],
      },
      { scope: 'selector-pseudo', begin: /::?[a-z-]+/ },
      number,
      { scope: 'selector-tag', begin: /\b[a-z][\w-]*/ },
    ],
  };
}

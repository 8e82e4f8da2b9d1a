/* Renders Markdown to safe DOM. A separate chunk, loaded after the first paint. */

import createPurify from 'dompurify';
import { Lexer, Marked } from 'marked';
import { decorateAnswer } from './decorate.ts';
import { makeSortable } from './tables.ts';

export { FigureBlock } from '../../figures/figureBlock.tsx';
export { findFigure } from '../../figures/findFigure.ts';
export { replaceBlock, sortByHeading, tableText } from './tables.ts';

const marked = new Marked({ gfm: true });
const purify = createPurify(window);

const bareTag = /(<\/?(?:br|kbd|sub|sup|details|summary|b|i|s|del)\s*\/?>)/i;

// Excludes what the page's policy would block, such as inline styles and foreign images.
const allowedTags = [
  'a',
  'b',
  'blockquote',
  'br',
  'code',
  'dd',
  'del',
  'details',
  'dl',
  'dt',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'input',
  'kbd',
  'li',
  'ol',
  'p',
  'pre',
  's',
  'strong',
  'sub',
  'summary',
  'sup',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
  '#text',
];
const allowedAttributes = ['href', 'title', 'class', 'align', 'start', 'type', 'checked', 'disabled', 'open'];

marked.use({
  renderer: {
    // Images are not fetched, since an address can leak what the model has read.
    image({ href, text }) {
      return `<a href="${escapeAttribute(href)}">${escapeText(text || href)}</a>`;
    },
    html: ({ text }) => showHtml(text),
  },
});

/** Returns the raw Markdown of each block, in order, without loss. */
export function splitBlocks(source: string): readonly string[] {
  if (tooDeep.test(source)) return [source];
  const tokens = new Lexer({ gfm: true }).blockTokens(source, []);
  const blocks: string[] = [];
  for (const token of tokens) {
    if (token.type === 'space' && blocks.length > 0) blocks[blocks.length - 1] += token.raw;
    else blocks.push(token.raw);
  }
  // The lexer normalises line ends and tabs. If that changed the length, the text is one block.
  return blocks.join('').length === source.length ? blocks : [source];
}

export function renderMarkdown(source: string): DocumentFragment {
  if (tooDeep.test(source)) return showPlain(source);
  const html = marked.parse(source, { async: false });
  const fragment = purify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|file:|(?![a-z][a-z0-9+.-]+:(?!\d)))/i,
    RETURN_DOM_FRAGMENT: true,
  });
  decorateAnswer(fragment);
  for (const table of fragment.querySelectorAll('table')) makeSortable(table);
  return fragment;
}

/**
 * Matches quotes and lists nested too deep. The parser recurses for each level until the stack overflows, and its time
 * grows with the square of the depth.
 */
const tooDeep = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){50}|^[ \t]{100,}(?:[-*+]|\d{1,9}[.)])[ \t]/m;

function showPlain(source: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const plain = document.createElement('div');
  plain.className = 'answer-plain';
  plain.dir = 'auto';
  plain.textContent = source;
  fragment.append(plain);
  return fragment;
}

/**
 * Escapes HTML in an answer, except simple tags that Markdown has no syntax for. Handlers or styles must not reach the
 * sanitiser, since its parsing alone makes the page's policy report them.
 */
function showHtml(html: string): string {
  return html
    .replace(/<!--[\s\S]*?-->/g, '')
    .split(bareTag)
    .map((piece, index) => (index % 2 === 1 ? piece : escapeText(piece)))
    .join('');
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function escapeAttribute(text: string): string {
  return escapeText(text).replace(/"/g, '&quot;');
}

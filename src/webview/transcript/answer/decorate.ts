/* Decorates sanitised Markdown: copy buttons on code, links to files, and targets of links. */

import { t } from '../../../protocol/language.ts';
import { headOf } from '../../../protocol/words/cutText.ts';
import { findLinkTarget } from '../../../protocol/words/linkTarget.ts';
import { type IconName, icons } from '../../ui/icons.ts';
import { highlighter } from './highlightPart.ts';
import { looksLikePath } from './links.ts';

export function decorateAnswer(fragment: DocumentFragment): void {
  directText(fragment);
  for (const link of fragment.querySelectorAll('a')) showTarget(link);
  for (const pre of fragment.querySelectorAll('pre')) decorateCode(pre);
  for (const code of fragment.querySelectorAll('code')) {
    if (!code.closest('pre, a') && looksLikePath(code.textContent)) linkPath(code);
  }
  for (const table of fragment.querySelectorAll('table')) {
    const block = wrap('div', 'answer-table', copyButton(t('Copy table')));
    table.replaceWith(block);
    block.prepend(wrap('div', 'answer-table-scroll', table));
  }
}

/**
 * Sets the direction of each top-level block by its own text. Nested text follows its list or quote, so that markers
 * are on one side. Code always runs left to right; a paragraph that begins with code takes the direction of the text
 * after it.
 */
function directText(fragment: DocumentFragment): void {
  for (const block of fragment.children)
    if (!block.matches('pre, table, hr')) block.setAttribute('dir', 'auto');
  for (const cell of fragment.querySelectorAll('th, td')) cell.setAttribute('dir', 'auto');
  for (const code of fragment.querySelectorAll('pre, code, kbd')) code.setAttribute('dir', 'ltr');
}

/** Highlights code blocks that are not highlighted yet. */
export function highlightIn(root: ParentNode): void {
  const waiting = [...root.querySelectorAll<HTMLElement>('code[data-language]')];
  if (waiting.length === 0) return;
  const loaded = highlighter.present;
  if (!loaded) {
    void highlighter.load();
    return;
  }
  for (const code of waiting) {
    const html = loaded.highlightCode(code.textContent, code.dataset.language ?? '');
    delete code.dataset.language;
    if (html !== undefined) code.innerHTML = html;
  }
}

/** Shows "copied" on a button until the pointer or focus leaves it. */
export function showCopied(button: Element): void {
  const show = (name: IconName) => button.querySelector('.codicon')?.replaceWith(iconOf(name));
  show('check');
  const revert = () => show('copy');
  button.addEventListener('pointerleave', revert, { once: true });
  button.addEventListener('blur', revert, { once: true });
}

function decorateCode(pre: HTMLPreElement): void {
  const code = pre.querySelector('code');
  if (!code) return;
  const language = /language-([\w+#-]+)/.exec(code.className)?.[1] ?? '';
  code.removeAttribute('class');
  if (language) code.dataset.language = language.toLowerCase();
  pre.tabIndex = 0;
  const label = wrap('span', 'code-language', document.createTextNode(language));
  const head = wrap('div', 'code-head', label, copyButton(t('Copy code')));
  const block = wrap('div', 'code-block', head, pre.cloneNode(true));
  pre.replaceWith(block);
}

function copyButton(label: string): HTMLElement {
  const copy = wrap('button', 'code-copy', iconOf('copy'));
  copy.ariaLabel = label;
  copy.title = label;
  return copy;
}

function showTarget(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href') ?? '';
  link.title = titleOf(href);
  const beside = targetBeside(link.textContent, href);
  if (beside) link.append(wrap('span', 'quiet', document.createTextNode(` (${beside})`)));
}

function linkPath(code: Element): void {
  const link = document.createElement('a');
  link.setAttribute('href', code.textContent);
  code.replaceWith(link);
  link.append(code);
}

function iconOf(name: IconName): HTMLElement {
  const icon = wrap('span', `codicon codicon-${name}`);
  icon.dataset.icon = icons[name];
  icon.ariaHidden = 'true';
  return icon;
}

function wrap(tag: string, className: string, ...children: Node[]): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

/** Returns the tooltip of a link: its address, never the model's text. */
function titleOf(href: string): string {
  const target = findLinkTarget(href);
  if (!target) return href;
  return target.isDisguised ? `${target.to}\n${target.address}` : target.address;
}

/** Returns the address to show beside a link; `undefined` if its text does not suggest another target. */
function targetBeside(text: string, href: string): string | undefined {
  const target = findLinkTarget(href);
  if (!target) return undefined;
  const { to, isDisguised } = target;
  if (isDisguised) return to;
  const named = nameIn(text);
  return named === undefined || isSame(named, to) ? undefined : to;
}

/** Returns the first host or mail address in a text, ignoring invisible characters. */
function nameIn(text: string): string | undefined {
  const plain = headOf(text.replace(/\p{Default_Ignorable_Code_Point}/gu, ''), 500);
  return /(?:[^\s/@:]+@)*(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/u.exec(plain)?.[0];
}

function isSame(named: string, to: string): boolean {
  const bare = (host: string) =>
    host
      .toLowerCase()
      .replace(/^www\./, '')
      .replace(/:\d+$/, '');
  return bare(named) === bare(to);
}

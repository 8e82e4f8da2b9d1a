import type { ToHost } from '../../../protocol/intentions.ts';

/** Matches `src/invoice.ts`, `src/invoice.ts:12`, `src/invoice.ts:12:5`, `src/invoice.ts#L12`. */
const pathPattern = /^(.*?)(?::(\d+)(?::\d+)?|#L(\d+)(?:-L?\d+)?)?$/;

/** Returns the intention of a link in an answer; `undefined` for an address that cannot be opened. */
export function linkIntention(href: string): ToHost | undefined {
  if (/^(https?|mailto):/i.test(href)) return { type: 'link.open', url: href };
  if (/^[a-z][\w+.-]+:(?!\d)/i.test(href) && !/^file:/i.test(href)) return undefined;
  const target = decode(href.replace(/^file:\/\//i, ''));
  const match = pathPattern.exec(target);
  const path = match?.[1];
  if (!path || path.startsWith('#')) return undefined;
  const line = match[2] ?? match[3];
  return line ? { type: 'file.open', path, line: Number(line) } : { type: 'file.open', path };
}

/** Returns true for inline code that names a file: with an extension, and a folder or line. */
export function looksLikePath(code: string): boolean {
  if (code.length > 200 || /\s|\/\//.test(code)) return false;
  return /^[\w@.~-]*[/\\][\w@./\\-]*\.\w{1,8}(:\d+){0,2}$|^[\w@.-]+\.\w{1,8}(:\d+){1,2}$/.test(code);
}

/** Decodes escapes; returns a path with a stray percent sign unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/* Drafts of commit messages and pull requests: titles and files as the request names them, and no judgement. */

import { remark } from './sentences.ts';

/** `undefined` when the request asks for no draft. */
export function draftAnswer(prompt: string): string | undefined {
  const tag = /between <(commit_message|pull_request)> and <\/\1>/.exec(prompt)?.[1];
  if (tag === undefined) return undefined;
  const block = (name: string) => new RegExp(`<${name}>\\n([\\s\\S]*?)\\n</${name}>`).exec(prompt)?.[1] ?? '';
  const chapters = readChapters(block('chapters'));
  const changed = chapters.findLast(({ files }) => files > 0) ?? chapters.at(-1);
  const [, file] = /^\+\+\+ b\/(.+)$/m.exec(block('diff')) ?? [];
  const title = (changed?.title ?? (file ? `Change ${file}` : 'Change files')).slice(0, 72);
  const told = chapters.filter(({ summary }) => summary !== '').map(({ summary }) => `- ${summary}`);
  const body = [told.join('\n'), tag === 'pull_request' ? remark : ''].filter(text => text !== '');
  return `<${tag}>\n${[title, ...body].join('\n\n')}\n</${tag}>`;
}

interface ToldChapter {
  readonly title: string;
  readonly summary: string;
  readonly files: number;
}

/** A chapter begins with its number; its summary and its files stand below, further in. */
function readChapters(block: string): ToldChapter[] {
  return block
    .split(/^(?=\d+\. )/m)
    .filter(text => /^\d+\. /.test(text))
    .map(text => {
      const [first = '', ...lines] = text.trimEnd().split('\n');
      const files = lines.filter(line => line.startsWith('   - '));
      const summary = lines.filter(line => !files.includes(line)).map(line => line.trim());
      return { title: first.replace(/^\d+\. /, ''), summary: summary.join(' '), files: files.length };
    });
}

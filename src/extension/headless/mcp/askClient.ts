/* Shows a run's asks as forms at the client, with the texts of the card. */

import type { Ask, AskSubject } from '../../../protocol/asks.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import type { Decision } from '../../core/calls/approvals.ts';
import { diffText } from '../../core/export/callMarkdown.ts';

/** The answer of a form: allow this once, or deny. */
export type FormAnswer = { readonly kind: 'allow' } | { readonly kind: 'deny'; readonly reason?: string };

/** Shows what a call wants to do to the client's user, who allows or denies it. Never rejects: no answer means deny. */
export type AskPermission = (message: string) => Promise<FormAnswer>;

export const decisionForm = {
  type: 'object' as const,
  properties: {
    decision: {
      type: 'string' as const,
      title: 'Decision',
      description: 'allow: this once',
      enum: ['allow', 'deny'],
    },
  },
  required: ['decision'],
};

/** Maximum characters. A longer text would be allowed without having been read. */
const maxLength = 20_000;

/** The decision holds only for this ask. */
export async function decideByForm(client: AskPermission, title: string, ask: Ask): Promise<Decision> {
  const { id: askId, subject } = ask;
  const shown = contentOf(subject);
  if (shown === undefined) return { kind: 'deny', reason: unasked, askId };
  const text = maskSecrets(
    escapeInvisibleText([title, ...reasonsOf(ask), shown].filter(Boolean).join('\n\n')),
  );
  if (text.length > maxLength)
    return { kind: 'deny', reason: 'It is too long to be shown in a form.', askId };
  const answer = await client(text);
  return answer.kind === 'allow' ? { kind: 'once', askId } : { ...answer, askId };
}

const unasked = 'Nobody can be asked that here. Decide by yourself, or ask in the words of your answer.';

function reasonsOf({ reason, rule, eachTime, commands = [] }: Ask): readonly string[] {
  const listed = commands.length > 1 ? commands.map(each => `- ${each.text}: ${each.reason}`) : [];
  return [[reason, rule, eachTime, ...listed].filter(Boolean).join('\n')];
}

/** Returns `undefined` if a form cannot represent the ask, or would allow more than this call. */
function contentOf(subject: AskSubject): string | undefined {
  switch (subject.kind) {
    case 'edit':
      return subject.diff.hiddenLines > 0 ? undefined : diffText(subject.diff);
    case 'command': {
      const { command, cwd, background, walls } = subject;
      const how = [`In ${cwd}${background ? ', in the background' : ''}.`, walls && `It runs ${walls}.`];
      return [command, how.filter(Boolean).join(' ')].join('\n');
    }
    case 'connect':
      return [subject.command, 'Connect to:', ...subject.hosts].join('\n');
    case 'fetch':
      return subject.urls.join('\n');
    case 'read':
      return subject.paths.join('\n');
    case 'other':
      return subject.detail;
    case 'questions':
    case 'plan':
    case 'mode':
      return undefined;
  }
}

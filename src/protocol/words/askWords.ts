/* Texts beside the ways to decide on a call. */

import type { AskSubject } from '../asks.ts';
import type { Judged } from '../events.ts';
import type { AlwaysChoice } from '../permissions.ts';

export const verbs: Readonly<Record<AskSubject['kind'], string>> = {
  edit: 'Accept',
  command: 'Run',
  fetch: 'Fetch',
  connect: 'Connect',
  read: 'Allow',
  questions: 'Send',
  plan: 'Approve',
  mode: 'Switch',
  other: 'Allow',
};

const scopes: Readonly<Record<AlwaysChoice['scope'], string>> = {
  once: 'this once',
  session: 'in this session',
  workspace: 'in this workspace',
  user: 'for you, in every workspace',
};

/** `Always npm test, in this workspace`. */
export function describeChoice({ label, scope }: AlwaysChoice): string {
  return `${label}, ${scopes[scope]}`;
}

/** Tells on the card of a command which model was heard on it, and what it said. */
export function describeJudged({ model, answer, reason }: Judged): string {
  return answer === 'allow' ? `Allowed by ${model}: ${reason}` : `${model} leaves this to you: ${reason}`;
}

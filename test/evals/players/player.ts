import type { Answer, Step } from '../../support/geminiAnswers.ts';
import { call, text } from '../../support/geminiAnswers.ts';
import type { RecordedRequest, ScriptedAnswer } from '../../support/geminiServer.ts';
import type { Eval } from '../eval.ts';

/** Scripted models at one eval: one that it must let pass, and those that it must not. */
export interface Players {
  readonly eval: Eval;
  readonly good: Player;
  readonly bad: readonly BadPlayer[];
}

/** An answer for each request, or what it says to any. */
export type Player = readonly ScriptedAnswer[] | ((request: RecordedRequest) => Answer);

export interface BadPlayer {
  /** What it does wrong, to end the sentence `a model that …`. */
  readonly does: string;
  readonly play: Player;
  /** The verdict. */
  readonly why: string | RegExp;
}

export const says = (words: string): Answer => [text(words)];

export const write = (file_path: string, content: string): Step => call('write_file', { file_path, content });

export const replace = (file_path: string, old_string: string, new_string: string, more: object = {}): Step =>
  call('replace', { file_path, instruction: 'As it was asked for.', old_string, new_string, ...more });

export const run = (command: string): Step => call('run_shell_command', { command });

export const read = (file_path: string): Step => call('read_file', { file_path });

export const topic = (title: string): Step => call('create_new_topic', { title });

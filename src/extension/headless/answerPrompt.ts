/* A prompt of the command line: sent, or carried out when it is a command. */

import type { CompressionEnd } from '../../protocol/compression.ts';
import type { TurnEnd } from '../../protocol/events.ts';
import type { Command, CommandSurface } from '../core/commands/commands.ts';
import { parseCommand } from '../core/commands/parseCommand.ts';
import { describeMemory } from '../core/context/describeMemory.ts';
import { type MemoryFiles, type MemoryPlace, readMemory } from '../core/context/memory.ts';
import type { Session } from '../core/session/session.ts';
import { UsageError } from './arguments.ts';

export interface PromptSurroundings {
  readonly files: MemoryFiles;
  readonly place: () => MemoryPlace;
  /** Something that was asked for and is no answer of the model. */
  readonly tell: (text: string) => void;
}

export type AnswerPrompt = (session: Session, around: PromptSurroundings) => Promise<TurnEnd>;

/** What is to be done with a prompt. Throws `UsageError`, before there is a session, when it cannot be understood. */
export function readPrompt(text: string): AnswerPrompt {
  const parsed = parseCommand(text);
  switch (parsed.kind) {
    case 'prompt':
      return session => session.send(text);
    case 'refused':
      throw new UsageError(parsed.sentence);
    case 'command':
      return (session, around) => runCommand(parsed.command, parsed.argument, session, around);
  }
}

async function runCommand(
  command: Command,
  argument: string,
  session: Session,
  { files, place, tell }: PromptSurroundings,
): Promise<TurnEnd> {
  let end: TurnEnd = { kind: 'rested' };
  const surface: CommandSurface = {
    ...{ files, place },
    mode: () => session.state.mode,
    compress: async () => {
      end = await compress(session, tell);
    },
    startNewSession: async () => tell('Every run without --resume begins a new session.'),
    showMemory: async () => tell(describeMemory(await readMemory(files, place()), session.folderMemory)),
    showCommands: async commands => tell(commands.map(describe).join('\n')),
    send: async (shown, wording) => {
      end = await session.send(shown, [], wording);
    },
  };
  const refusal = await command.run(surface, argument);
  return refusal ? failed('command', refusal.sentence) : end;
}

/** Nobody is there to look at a proposal, so it takes effect at once. */
async function compress(session: Session, tell: (text: string) => void): Promise<TurnEnd> {
  let ended: CompressionEnd | undefined;
  const subscription = session.onEvent(event => {
    if (event.type === 'compression.ended') ended = event.end;
  });
  try {
    await session.compressions.propose();
  } finally {
    subscription.dispose();
  }
  const { compression } = session.state;
  if (compression?.status === 'proposed') {
    const { before, after } = compression.plan.tokens;
    session.compressions.apply(compression.id);
    tell(`Compressed from ${before.toLocaleString('en')} to ${after.toLocaleString('en')} tokens.`);
    return { kind: 'rested' };
  }
  return ended?.kind === 'failed' ? failed('compression', ended.message) : { kind: 'stopped' };
}

function describe({ name, argument, description }: Command): string {
  return `${`/${name}${argument ? ` [${argument}]` : ''}`.padEnd(32)}${description}`;
}

function failed(kind: string, message: string): TurnEnd {
  return { kind: 'failed', trouble: { kind, message } };
}

import type { Ask } from '../../protocol/asks.ts';
import { t } from '../../protocol/language.ts';
import type { AskedCommand } from '../../protocol/permissions.ts';
import { choicesOf } from '../../protocol/words/choices.ts';

/** Explains that a command can only be allowed once; empty for others. */
export function explainEachTime(ask: Ask): string {
  // Earlier versions recorded a permission as a sentence.
  const isKnown = ask.subject.kind === 'command' && Array.isArray(ask.always);
  if (!isKnown || choicesOf(ask).some(({ scope }) => scope !== 'once')) return '';
  return ask.eachTime ?? t('Folio asks each time: no lasting permission covers this.');
}

/** Number of commands that fit without scrolling. */
const whollySeen = 4;

interface Reasons {
  /** Empty if the line is a single harmless command. */
  readonly commands: readonly AskedCommand[];
  /** Reason shown below the list. */
  readonly below: string;
}

/** Shows each reason once: beside its command, or below a list that scrolls. */
export function arrangeReasons(ask: Ask): Reasons {
  const { reason, commands = [] } = ask;
  if (commands.length <= 1 && dangersOf(ask).length === 0) return { commands: [], below: reason };
  if (commands.length <= whollySeen) {
    const below = commands.reduce((rest, each) => rest.replaceAll(each.reason, ''), reason);
    return { commands, below: below.replace(/ +/g, ' ').trim() };
  }
  const said = (each: AskedCommand) => (reason.includes(each.reason) ? { ...each, reason: '' } : each);
  return { commands: commands.map(said), below: reason };
}

export function dangersOf({ commands = [] }: Ask): readonly AskedCommand[] {
  return commands.filter(({ verdict }) => verdict === 'dangerous');
}

import type { Ask } from '../../protocol/asks.ts';
import { t } from '../../protocol/language.ts';
import type { AskedCommand } from '../../protocol/permissions.ts';
import { namedChoices } from '../../protocol/words/choices.ts';

/** Says of a command that can only be allowed once that this is so; empty for others. */
export function whyEachTime(ask: Ask): string {
  // An earlier version may have offered a permission as a sentence.
  const isKnown = ask.subject.kind === 'command' && Array.isArray(ask.always);
  if (!isKnown || namedChoices(ask).some(({ scope }) => scope !== 'once')) return '';
  return ask.eachTime ?? t('Folio asks each time: no lasting permission covers this.');
}

/** A list of more commands scrolls. */
const whollySeen = 4;

interface Reasons {
  /** Listed one by one, unless the line is nothing but one harmless command. */
  readonly commands: readonly AskedCommand[];
  /** The sentence below the list. */
  readonly below: string;
}

/** Nothing is said twice: a reason stands beside its command, or below the list where it could be scrolled away. */
export function partReasons(ask: Ask): Reasons {
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

import { hasHiddenText } from '../../base/hiddenText.ts';
import type { CommandAnalysis, SubCommand } from '../../shell/classify/analysis.ts';
import type { Demand } from './classifyFiles.ts';
import { isDestructive } from './destructiveCommands.ts';

interface OpenLine {
  readonly command: string;
  readonly analysis: CommandAnalysis;
  readonly demands: readonly Demand[];
  readonly home: string;
}

/**
 * A small model may answer an ask about this line in the user's place: nothing in it is dangerous, protected,
 * outside of the workspace, hidden or not understood.
 */
export function mayBeClassified({ command, analysis, demands, home }: OpenLine): boolean {
  const { commands, unparsed, doubts } = analysis;
  const isClear = unparsed === undefined && doubts.length === 0 && demands.length === 0;
  const isHarmful = (each: SubCommand) =>
    each.verdict === 'dangerous' || isDestructive(each, home) || reachesOut(each) || erases(each);
  return isClear && commands.length > 0 && !hasHiddenText(command) && !commands.some(isHarmful);
}

/** Its whole purpose is to talk to other machines. */
function reachesOut(command: SubCommand): boolean {
  return /^(?:curl|wget|aria2c|https?|xh|ssh|scp|sftp|rsync|ftp|telnet|nc|ncat|netcat|socat|mail|mailx|sendmail|mutt|ping|dig|nslookup|host)$/.test(
    nameOf(command),
  );
}

function erases(command: SubCommand): boolean {
  const name = nameOf(command);
  const deletes = command.words.some(word => word.text === '-delete');
  return name === 'truncate' || name === 'shred' || (name === 'find' && deletes);
}

function nameOf({ words: [first] }: SubCommand): string {
  return first?.kind === 'plain' ? (first.value.split(/[\\/]/).at(-1) ?? '').toLowerCase() : '';
}

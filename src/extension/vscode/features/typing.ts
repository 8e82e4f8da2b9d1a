import type { Keyboard } from '../../platform/processes.ts';

/** Takes what is typed into a program: a terminal gets each key, a pipe whole lines that can be corrected before. */
export function typingInto(
  keyboard: Keyboard,
  show: (text: string) => void,
  stop: () => void,
): (data: string) => void {
  if (!keyboard.noTerminal) return data => keyboard.write(data);
  let line = '';
  const press = (key: string) => {
    if (key === '\r' || key === '\n') {
      keyboard.write(`${line}\n`);
      line = '';
      show('\r\n');
    } else if (key === '\x7f' || key === '\b') {
      if (line !== '') show('\b \b');
      line = [...line].slice(0, -1).join('');
    } else if (key === '\x03') stop();
    else if (key === '\x04') keyboard.end();
    else if (key >= ' ') {
      line += key;
      show(key);
    }
  };
  return data => {
    // Arrows and their like have no meaning on a line that goes through a pipe.
    for (const key of data.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|O.)/g, '')) press(key);
  };
}

/** A terminal as far as somebody may want to type into it. */
export interface Typed {
  /** The call whose command runs in it. */
  readonly callId: string | undefined;
  readonly isWaiting: boolean;
  readonly isAnswerable: boolean;
}

/**
 * The terminals to choose from when somebody wants to type. Of a call that is meant it is its own or none: what was
 * meant for one command, a password perhaps, must not be typed into another.
 * @param callId absent: those that wait, else those that may be answered later
 */
export function findAnswerable<Tab>(
  tabs: readonly Tab[],
  typedOf: (tab: Tab) => Typed,
  callId?: string,
): readonly Tab[] {
  const all = tabs.filter(tab => typedOf(tab).isAnswerable);
  if (callId !== undefined) return all.filter(tab => typedOf(tab).callId === callId);
  const waiting = all.filter(tab => typedOf(tab).isWaiting);
  return waiting.length > 0 ? waiting : all;
}

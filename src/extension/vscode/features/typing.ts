import type { ProcessInput } from '../../platform/processes.ts';

/** Forwards typed text to a program: to a terminal each key, to a pipe whole lines, which can be edited first. */
export function makeInputForwarder(
  keyboard: ProcessInput,
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
    // Arrow keys and similar have no meaning in a line for a pipe.
    for (const key of data.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|O.)/g, '')) press(key);
  };
}

/** A terminal that may accept typed text. */
export interface InputTerminal {
  /** The call whose command runs in it. */
  readonly callId: string | undefined;
  readonly isWaiting: boolean;
  readonly isAnswerable: boolean;
}

/**
 * Returns the terminals that a user may want to type into. For a given call only its own: text meant for one command,
 * perhaps a password, must not go to another.
 * @param callId absent for those that wait, else those that may accept input later
 */
export function findInputTerminals<Tab>(
  tabs: readonly Tab[],
  typedOf: (tab: Tab) => InputTerminal,
  callId?: string,
): readonly Tab[] {
  const all = tabs.filter(tab => typedOf(tab).isAnswerable);
  if (callId !== undefined) return all.filter(tab => typedOf(tab).callId === callId);
  const waiting = all.filter(tab => typedOf(tab).isWaiting);
  return waiting.length > 0 ? waiting : all;
}

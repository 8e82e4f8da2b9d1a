import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { ask, button, expectPlayed, lastAsked } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const program = `function discount(price) {
  const rate = 20;
  return price * rate;
}

function load(text) {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

console.log('total ' + discount(5));
console.log('items ' + load('{').length);
`;

const launch = JSON.stringify({
  version: '0.2.0',
  configurations: [
    { type: 'node', request: 'launch', name: 'Shop', program: '$' + '{workspaceFolder}/main.js' },
  ],
});

test('a program is debugged by the debugger of the window: a value, a step, an exception, the end', async ({
  openOwn,
  makeFolder,
  startGemini,
}) => {
  const folder = await makeFolder({ 'main.js': program, '.vscode/launch.json': launch });
  const gemini = await startGemini();
  const window = await openOwn({
    folder,
    settings: { 'folio.baseUrl': gemini.baseUrl },
    moreBuiltIns: ['ms-vscode.js-debug'],
  });
  const panel = await window.openPanel();
  const debug = async (args: object, word: RegExp, asks: boolean) => {
    gemini.script([call('debug', { ...args })], [text('Seen.')]);
    const before = await panel.getByText('Seen.').count();
    await ask(panel, 'Go on.');
    if (asks) await button(panel, 'Allow').click();
    await panel.getByText('Seen.').nth(before).waitFor();
    const [result] = lastResults(lastAsked(gemini));
    expect(result?.output ?? result?.error).toMatch(word);
  };
  const breakpoints = [{ file: 'main.js', at: 'discount', condition: 'price === 5' }];
  await debug(
    { action: 'start', breakpoints, seconds: 120 },
    /Stopped: breakpoint[\s\S]*0 \S*discount main\.js:2[\s\S]*price = 5/,
    true,
  );
  await window.screenshot('debugger');
  await debug({ action: 'over', seconds: 60 }, /rate = 20/, false);
  await debug({ action: 'evaluate', expression: 'price * rate' }, /100/, true);
  await debug({ action: 'continue', seconds: 60 }, /The program ended[\s\S]*items 0/, false);
  await debug(
    { action: 'start', caught_exceptions: true, seconds: 120 },
    /Stopped: exception[\s\S]*SyntaxError[\s\S]*main\.js:8/,
    true,
  );
  await debug({ action: 'stop' }, /Ended/, false);
  expectPlayed(gemini);
});

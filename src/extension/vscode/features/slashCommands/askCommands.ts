import { window } from 'vscode';
import { showHidden } from '../../../base/hiddenText.ts';
import { plural } from '../../../base/text.ts';
import type { CommandAnswer, CommandQuestion } from '../../../core/commands/template/templateSources.ts';
import { codeSpan, fenceBlock } from '../../../core/export/markdownText.ts';
import type { ReadingTexts } from '../documents/readingTexts.ts';

/** A dialog has no more room; what is longer is read in an editor first. */
const longest = 1_200;
const mostLines = 25;

/** One question for all commands that a prompt wants to run before it is sent. */
export async function askCommands(question: CommandQuestion, texts: ReadingTexts): Promise<CommandAnswer> {
  const { name, commands, canLast } = question;
  const lines = commands.map(({ command, reason }) => `${showHidden(command)}\n    ${reason}`);
  const detail = lines.join('\n\n');
  const isWhole = detail.length <= longest && detail.split('\n').length <= mostLines;
  const run = 'Run';
  const last = 'Run and allow in this session';
  const look = 'Show all in an editor';
  const shown = isWhole
    ? detail
    : `${detail.slice(0, longest).split('\n', mostLines).join('\n')}…\n\nThis is not all: look at the whole first.`;
  const answer = await window.showWarningMessage(
    `/${name} runs ${plural(commands.length, 'command')} before it is sent.`,
    { modal: true, detail: shown },
    ...(isWhole ? [run, ...(canLast ? [last] : [])] : [look]),
  );
  if (answer === run) return 'once';
  if (answer === last) return 'session';
  return answer === look ? askBeside(question, texts, run) : 'no';
}

/** The whole stands in an editor, so the question must leave it in sight. */
async function askBeside(
  { name, commands }: CommandQuestion,
  texts: ReadingTexts,
  run: string,
): Promise<CommandAnswer> {
  const blocks = commands.map(({ command, reason }) => `${fenceBlock(showHidden(command))}\n\n${reason}`);
  await texts.show('Commands to run', `# Commands of ${codeSpan(`/${name}`)}\n\n${blocks.join('\n\n')}\n`);
  const sentence = `/${name} runs ${plural(commands.length, 'command')} before it is sent. They stand in the editor.`;
  return (await window.showWarningMessage(sentence, run, 'Leave')) === run ? 'once' : 'no';
}

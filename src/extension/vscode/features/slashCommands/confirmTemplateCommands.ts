import { window } from 'vscode';
import { plural, t } from '../../../../protocol/language.ts';
import { escapeInvisibleText } from '../../../base/hiddenText.ts';
import { headOf } from '../../../base/text.ts';
import type { TemplateAnswer, TemplateQuestion } from '../../../core/commands/template/templateSources.ts';
import { codeSpan, fenceBlock } from '../../../core/export/markdownText.ts';
import type { ReadOnlyTexts } from '../documents/readOnlyTexts.ts';

/** Characters that fit into a dialog. Longer text is shown in an editor first. */
const longest = 1_200;
const maxLines = 25;

/** Asks once about all commands that a prompt runs before it is sent. */
export async function confirmTemplateCommands(
  question: TemplateQuestion,
  texts: ReadOnlyTexts,
): Promise<TemplateAnswer> {
  const { name, commands, canLast, sentence } = question;
  const lines = commands.map(({ command, reason }) => `${escapeInvisibleText(command)}\n    ${reason}`);
  const detail = lines.join('\n\n');
  const isWhole = detail.length <= longest && detail.split('\n').length <= maxLines;
  const run = t('Run');
  const last = t('Run and allow in this session');
  const scan = t('Show all in an editor');
  const shown = isWhole
    ? detail
    : `${headOf(detail, longest).split('\n', maxLines).join('\n')}…\n\n${t('Only part of it is shown. Review all of it first.')}`;
  const answer = await window.showWarningMessage(
    sentence ??
      plural(
        commands.length,
        'one: /{1} runs {0} command before it is sent. | other: /{1} runs {0} commands before it is sent.',
        name,
      ),
    { modal: true, detail: shown },
    ...(isWhole ? [run, ...(canLast ? [last] : [])] : [scan]),
  );
  if (answer === run) return 'once';
  if (answer === last) return 'session';
  return answer === scan ? askInEditor(question, texts, run) : 'no';
}

/** Not modal, so that the editor with the full text stays visible. */
async function askInEditor(
  { name, commands, sentence }: TemplateQuestion,
  texts: ReadOnlyTexts,
  run: string,
): Promise<TemplateAnswer> {
  const blocks = commands.map(
    ({ command, reason }) => `${fenceBlock(escapeInvisibleText(command))}\n\n${reason}`,
  );
  await texts.show(
    t('Commands to run'),
    `# ${t('Commands of {0}', codeSpan(`/${name}`))}\n\n${blocks.join('\n\n')}\n`,
  );
  const question = plural(
    commands.length,
    'one: /{1} runs {0} command before it is sent. It stands in the editor. | other: /{1} runs {0} commands before it is sent. They stand in the editor.',
    name,
  );
  return (await window.showWarningMessage(sentence ?? question, run, t("Don't Run"))) === run ? 'once' : 'no';
}

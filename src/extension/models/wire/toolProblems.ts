import { t } from '../../../protocol/language.ts';

/*
 * Detects from an error message that a model takes no tools, since servers have no common code for it. The messages
 * were seen in practice.
 */

/** `start`: the option with which the server must be started. If omitted, the model itself does not support tools. */
interface ToolProblem {
  readonly words: RegExp;
  readonly server?: string;
  readonly start?: string;
}

const toolProblems: readonly ToolProblem[] = [
  { words: /--jinja/i, server: 'llama.cpp', start: '--jinja' },
  {
    words: /enable-auto-tool-choice|tool-call-parser/i,
    server: 'vLLM',
    start: '--enable-auto-tool-choice and --tool-call-parser',
  },
  {
    words:
      /not support (tool|function)|(tools?|(tool|function) calling)\W+(is|are) not (supported|enabled)|support tool use/i,
  },
];

/** Returns a sentence about it, or `undefined` if the error is about something else. */
export function describeToolProblem(words: string, model: string | undefined): string | undefined {
  const problem = toolProblems.find(each => each.words.test(words));
  if (!problem) return undefined;
  const { server, start } = problem;
  const named = model === undefined ? t('This model') : t('The model "{0}"', model);
  if (server === undefined || start === undefined)
    return t('{0} cannot call tools, which Folio needs. Choose another model.', named);
  return t(
    '{0} cannot call tools, because {1} was started without support for them. Start {1} again with {2}, or choose another model.',
    named,
    server,
    start,
  );
}

import { plural, t } from '../../../../protocol/language.ts';
import { sanitiseLine } from '../../../base/text.ts';
import { codeSpan, escapeInline } from '../../export/markdownText.ts';
import type { ListedEntry, ListedKind } from '../commands.ts';

/** Characters of one description: short for overviews, longer for details. */
const longest = { tool: 100, skill: 500, agent: 500, whole: 4_000 } as const;

const words: Readonly<
  Record<
    ListedKind,
    () => { readonly title: string; readonly none: string; readonly count: (many: number) => string }
  >
> = {
  tool: () => ({
    title: t('Tools'),
    count: many => plural(many, 'one: {0} tool. | other: {0} tools.'),
    none: t('The model has no tools now.'),
  }),
  skill: () => ({
    title: t('Skills'),
    count: many => plural(many, 'one: {0} skill. | other: {0} skills.'),
    none: t(
      'There are no skills. Use `/skills create NAME`, or put a folder with a `SKILL.md` into `.gemini/skills`, `.claude/skills` or `.agents/skills`, of the project or of your home folder.',
    ),
  }),
  agent: () => ({
    title: t('Subagents'),
    count: many => plural(many, 'one: {0} subagent. | other: {0} subagents.'),
    none: t(
      'There are no subagents. Use `/agents create NAME`, or put a Markdown file into `.gemini/agents` or `.claude/agents`, of the project or of your home folder.',
    ),
  }),
};

/** Formats a list as Markdown; names and descriptions are untrusted. */
export function formatListedEntries(
  kind: ListedKind,
  things: readonly ListedEntry[],
  detail: 'whole' | undefined = undefined,
): { readonly title: string; readonly text: string } {
  const { title, none, count } = words[kind]();
  if (things.length === 0) return { title, text: `# ${title}\n\n${none}\n` };
  const lines = things.map(({ name, description, source }) => {
    const shown = source === 'person' ? 'user' : source;
    const from = shown === undefined ? '' : ` (${escapeInline(shown)})`;
    return `- ${codeSpan(name)}${from}: ${escapeInline(sanitiseLine(description, longest[detail ?? kind]))}`;
  });
  return { title, text: `# ${title}\n\n${count(things.length)}\n\n${lines.join('\n')}\n` };
}

import { joinLines, type PromptFacts } from './facts.ts';

export function environment(facts: PromptFacts): string {
  const { platform, shell, date, folders, model } = facts;
  return joinLines(
    '# Environment',
    `${platform}, shell ${shell}, model ${model}, today ${date}.`,
    folders.length === 0
      ? noFolder
      : folders.length === 1
        ? `Workspace: ${folders[0]}`
        : `Workspace folders:\n${folders.map(folder => `- ${folder}`).join('\n')}`,
  );
}

const noFolder = `No folder is open, so there are no files to work on; say so if the task needs them.`;

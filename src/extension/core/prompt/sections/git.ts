import { hasTool, type PromptFacts } from './facts.ts';

export function git(facts: PromptFacts): string | undefined {
  if (!facts.hasGit || facts.mode === 'plan' || !hasTool(facts, 'run_shell_command')) return undefined;
  const where = facts.folders.length > 1 ? 'A folder of the workspace' : 'The workspace';
  const beside = facts.isWorktree ? worktree : '';
  return `# Git\n${where} is a git repository. ${beside}${etiquette}`;
}

const worktree =
  "It is a worktree of your own: the user's files lie elsewhere and stay as they are until the user brings your changes home, so leave changes uncommitted unless asked. ";

const etiquette = `Status, diff and log are yours to read. Stage, commit, branch, stash, reset or push only when asked, and a request to commit is none to push. To commit: read status and diff, stage just what belongs, word the message as the log does, check the result. Never amend, force or skip hooks unasked.`;

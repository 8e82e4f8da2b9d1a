import { hasTool, type PromptFacts } from './facts.ts';

/** Says what commands can reach, and what to do when something is refused. */
export function sandbox(facts: PromptFacts): string | undefined {
  if (facts.mode === 'plan' || !hasTool(facts, 'run_shell_command')) return undefined;
  switch (facts.sandbox) {
    case 'folio':
      return `# Sandbox\n${own}`;
    case 'seatbelt':
      return `# macOS Seatbelt\nAll of this runs under macOS Seatbelt. ${outer}`;
    case 'container':
      return `# Sandbox\nAll of this runs in a container. ${outer}`;
    case 'none':
      return facts.platform === 'win32' || !facts.interactive ? undefined : `# No sandbox\n${none}`;
  }
}

const own = `Commands write in the workspace and in temporary folders only, and reach no secrets and no network. "Operation not permitted", "Read-only file system" or a host that is not found may come from that: say so, and ask for what is needed with \`needs_write\` or \`needs_hosts\`, last with \`outside_sandbox\`.`;

const outer = `Files outside the workspace and temporary folders, ports and devices may be closed. When something fails in a way that fits ("Operation not permitted"), say that this may be the cause, and what the user could change in its configuration.`;

const none = `Commands run directly on the user's system. With one that may change it beyond the workspace, mention that the setting \`folio.sandbox\` can contain commands.`;

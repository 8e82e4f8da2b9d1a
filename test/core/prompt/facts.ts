import type { PromptFacts } from '../../../src/extension/core/prompt/sections/facts.ts';

/** What a new session in the panel starts with. */
export const panelFacts: PromptFacts = {
  interactive: true,
  mode: 'default',
  model: 'gemini-2.5-pro',
  tools: [
    'read_file',
    'read_many_files',
    'write_file',
    'replace',
    'list_directory',
    'glob',
    'grep_search',
    'run_shell_command',
    'create_new_topic',
    'write_todos',
    'ask_user',
    'enter_plan_mode',
    'save_memory',
    'web_fetch',
    'google_web_search',
  ],
  folders: ['/home/ada/ledger'],
  trusted: true,
  hasGit: true,
  sandbox: 'none',
  platform: 'linux',
  shell: 'bash',
  date: '2026-03-14',
  memory: [],
  without: [],
};

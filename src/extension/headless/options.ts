const flag = (help: string) => ({ type: 'boolean', help }) as const;
const text = (takes: string, help: string) => ({ type: 'string', takes, help }) as const;
/** May be given more than once. */
const texts = (takes: string, help: string) => ({ type: 'string', multiple: true, takes, help }) as const;

/** All options, in the parser's format, with their descriptions for the help and docs/headless.md. */
export const options = {
  acp: flag('speak the Agent Client Protocol on standard input and output, for editors (docs/acp.md)'),
  'sign-in': flag("ask in the terminal for an API key, and store it in the system's keyring (docs/acp.md)"),
  'sign-out': flag('remove the stored keys'),
  mcp: flag('serve other agents by the Model Context Protocol on standard input and output (docs/mcp.md)'),
  'mcp-allow': text(
    'read|run',
    'what they may do: read the sessions of the workspace, or also have Folio run prompts (default: nothing)',
  ),
  prompt: {
    type: 'string',
    short: 'p',
    takes: 'TEXT',
    help: 'what to do; /help lists the commands, such as /compress with --resume',
  },
  workspace: text('DIR', 'folder to work in (default: the current one)'),
  'include-directories': texts(
    'DIRS',
    'more folders to work in, with commas between them; may be given again',
  ),
  worktree: text(
    '[NAME]',
    'work in a Git worktree of its own; /worktree apply with --resume brings the changes home',
  ),
  base: text(
    'REF',
    'what the worktree begins with: HEAD, a branch, or . for the files as they stand (default)',
  ),
  container: flag(
    'run commands in the container of devcontainer.json, by the Dev Containers CLI (docs/worktrees.md)',
  ),
  agent: text(
    'NAME',
    'let this agent of folio.agents.external drive the new session (docs/external-agents.md)',
  ),
  'agent-command': text(
    'LINE',
    'the same with a program that speaks the Agent Client Protocol, and its arguments',
  ),
  provider: text(
    'NAME',
    'gemini (default), anthropic, openai-responses, openai for any server that speaks chat completions, vertex, or bedrock',
  ),
  model: { type: 'string', short: 'm', takes: 'M', help: 'model id' },
  effort: text(
    'EFFORT',
    'how hard the model thinks: low, medium, high or max (default: as it decides itself)',
  ),
  'base-url': text('URL', "address of the model's service; of a chat-completions server up to and with /v1"),
  'approval-mode': text('MODE', 'default, autoEdit, plan or yolo; in default, what must ask is denied'),
  sandbox: text(
    'on|off',
    'on: commands run in a sandbox, unasked; what needs more, or cannot be held, is denied (default: off)',
  ),
  'sandbox-allow-write': texts(
    'DIR',
    'a folder that commands in the sandbox may write to; may be given again',
  ),
  'sandbox-allow-host': texts(
    'HOST',
    'a host that commands in the sandbox may connect to, by name; may be given again',
  ),
  'input-format': text(
    'FORMAT',
    'text, or stream-json: prompts, steering, decisions and stop as lines on standard input',
  ),
  'output-format': text('FORMAT', 'text, json (one object at the end) or stream-json (one event a line)'),
  statistics: text(
    'csv|json',
    'print what the sessions took by day, project, model and tool (docs/statistics.md), and leave',
  ),
  'session-dir': text('DIR', "where the session's journal is kept (default: ~/.folio/sessions)"),
  resume: text(
    'ID',
    'continue with an earlier session of this workspace; the newest without an ID, and with latest',
  ),
  'session-file': text(
    'FILE',
    'write the session to this file when the run ends, to open it elsewhere (docs/ci.md)',
  ),
  import: text(
    'FILE',
    'make such a file a session of this workspace, print its id and leave; no file is changed',
  ),
  background: flag(
    'run it in the background host, print the id of its session and leave (docs/background.md)',
  ),
  'list-background': flag('list the sessions in the background host'),
  attach: text('ID', 'show such a session until it rests; with --input-format stream-json lines go to it'),
  stop: text('ID', 'stop such a session, which stays on the disk'),
  rewind: text('N', 'go back to before its N-th prompt; with --prompt, continue from there'),
  'rewind-scope': text('SCOPE', 'files, conversation or both (default)'),
  'undo-rewind': flag('take its newest rewind back'),
  settings: text('FILE', 'settings as JSON, over those of ~/.gemini/settings.json'),
  policy: texts('FILE', 'rules (TOML) that count like those of ~/.folio/policies; may be given again'),
  audit: text(
    'DIR',
    'folder that gets an audit log of asks, decisions, permissions, commands and written files',
  ),
  'verify-audit': text(
    'FILE',
    'check that nobody changed such a log, and leave: exit code 1 says that somebody did',
  ),
  'server-start': text(
    'SECONDS',
    'how long the prompt waits for MCP servers (default: 10) and language servers (default: 1.5) to start',
  ),
  'detach-tasks': flag(
    'leave tasks of MCP servers to their servers: --resume ID gets the results (docs/mcp.md)',
  ),
  record: text(
    'FILE',
    'add each request to the model and each answer to this file, with secrets of known formats masked',
  ),
  replay: text('FILE', 'take the answers from such a file instead of a model; nothing is sent'),
  trusted: flag(
    'let all count that the workspace brings: hooks, servers, commands, agents, skills, rules that allow',
  ),
  untrusted: flag('treat the workspace as restricted: nothing is written or run'),
  help: { type: 'boolean', short: 'h', help: 'say this' },
} as const;

export const usageText = `Folio without a window: one prompt, then it rests.

  node dist/headless.cjs --prompt TEXT --workspace DIR
  node dist/headless.cjs --resume latest --rewind N --workspace DIR

${Object.entries(options).map(describeOption).join('\n')}

Reads GEMINI_API_KEY and GOOGLE_GEMINI_BASE_URL, ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL, or OPENAI_API_KEY and
OPENAI_BASE_URL; for vertex Google's Application Default Credentials, GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION;
for bedrock AWS credentials or AWS_BEARER_TOKEN_BEDROCK, and AWS_REGION.
Exit code: 0 done, 1 failed or at a limit, 2 wrong usage, 3 a task of an MCP server goes on, 130 stopped.
`;

interface Described {
  readonly takes?: string;
  readonly help: string;
}

function describeOption([name, { takes, help }]: readonly [string, Described]): string {
  const form = takes === undefined ? `--${name}` : `--${name} ${takes}`;
  return `  ${form.padEnd(24)}${help}`;
}

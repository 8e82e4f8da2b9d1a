/** All options, in the parser's format, with their descriptions for the help and docs/headless.md. */
export const options = {
  acp: {
    type: 'boolean',
    help: 'speak the Agent Client Protocol on standard input and output, for editors (docs/acp.md)',
  },
  'sign-in': {
    type: 'boolean',
    help: "ask in the terminal for an API key, and store it in the system's keyring (docs/acp.md)",
  },
  'sign-out': { type: 'boolean', help: 'remove the stored keys' },
  mcp: {
    type: 'boolean',
    help: 'serve other agents by the Model Context Protocol on standard input and output (docs/mcp.md)',
  },
  'mcp-allow': {
    type: 'string',
    takes: 'read|run',
    help: 'what they may do: read the sessions of the workspace, or also have Folio run prompts (default: nothing)',
  },
  prompt: {
    type: 'string',
    short: 'p',
    takes: 'TEXT',
    help: 'what to do; /help lists the commands, such as /compress with --resume',
  },
  workspace: { type: 'string', takes: 'DIR', help: 'folder to work in (default: the current one)' },
  'include-directories': {
    type: 'string',
    multiple: true,
    takes: 'DIRS',
    help: 'more folders to work in, with commas between them; may be given again',
  },
  worktree: {
    type: 'string',
    takes: '[NAME]',
    help: 'work in a Git worktree of its own; /worktree apply with --resume brings the changes home',
  },
  base: {
    type: 'string',
    takes: 'REF',
    help: 'what the worktree begins with: HEAD, a branch, or . for the files as they stand (default)',
  },
  container: {
    type: 'boolean',
    help: 'run commands in the container of devcontainer.json, by the Dev Containers CLI (docs/worktrees.md)',
  },
  agent: {
    type: 'string',
    takes: 'NAME',
    help: 'let this agent of folio.agents.external drive the new session (docs/external-agents.md)',
  },
  'agent-command': {
    type: 'string',
    takes: 'LINE',
    help: 'the same with a program that speaks the Agent Client Protocol, and its arguments',
  },
  provider: {
    type: 'string',
    takes: 'NAME',
    help: 'gemini (default), anthropic, openai-responses, openai for any server that speaks chat completions, vertex, or bedrock',
  },
  model: { type: 'string', short: 'm', takes: 'M', help: 'model id' },
  effort: {
    type: 'string',
    takes: 'EFFORT',
    help: 'how hard the model thinks: low, medium, high or max (default: as it decides itself)',
  },
  'base-url': {
    type: 'string',
    takes: 'URL',
    help: "address of the model's service; of a chat-completions server up to and with /v1",
  },
  'approval-mode': {
    type: 'string',
    takes: 'MODE',
    help: 'default, autoEdit, plan or yolo; in default, what must ask is denied',
  },
  sandbox: {
    type: 'string',
    takes: 'on|off',
    help: 'on: commands run in a sandbox, unasked; what needs more, or cannot be held, is denied (default: off)',
  },
  'sandbox-allow-write': {
    type: 'string',
    multiple: true,
    takes: 'DIR',
    help: 'a folder that commands in the sandbox may write to; may be given again',
  },
  'sandbox-allow-host': {
    type: 'string',
    multiple: true,
    takes: 'HOST',
    help: 'a host that commands in the sandbox may connect to, by name; may be given again',
  },
  'input-format': {
    type: 'string',
    takes: 'FORMAT',
    help: 'text, or stream-json: prompts, steering, decisions and stop as lines on standard input',
  },
  'output-format': {
    type: 'string',
    takes: 'FORMAT',
    help: 'text, json (one object at the end) or stream-json (one event a line)',
  },
  statistics: {
    type: 'string',
    takes: 'csv|json',
    help: 'print what the sessions took by day, project, model and tool (docs/statistics.md), and leave',
  },
  'session-dir': {
    type: 'string',
    takes: 'DIR',
    help: "where the session's journal is kept (default: ~/.folio/sessions)",
  },
  resume: {
    type: 'string',
    takes: 'ID',
    help: 'continue with an earlier session of this workspace; the newest without an ID, and with latest',
  },
  'session-file': {
    type: 'string',
    takes: 'FILE',
    help: 'write the session to this file when the run ends, to open it elsewhere (docs/ci.md)',
  },
  import: {
    type: 'string',
    takes: 'FILE',
    help: 'make such a file a session of this workspace, print its id and leave; no file is changed',
  },
  background: {
    type: 'boolean',
    help: 'run it in the background host, print the id of its session and leave (docs/background.md)',
  },
  'list-background': { type: 'boolean', help: 'list the sessions in the background host' },
  attach: {
    type: 'string',
    takes: 'ID',
    help: 'show such a session until it rests; with --input-format stream-json lines go to it',
  },
  stop: { type: 'string', takes: 'ID', help: 'stop such a session, which stays on the disk' },
  rewind: {
    type: 'string',
    takes: 'N',
    help: 'go back to before its N-th prompt; with --prompt, continue from there',
  },
  'rewind-scope': { type: 'string', takes: 'SCOPE', help: 'files, conversation or both (default)' },
  'undo-rewind': { type: 'boolean', help: 'take its newest rewind back' },
  settings: {
    type: 'string',
    takes: 'FILE',
    help: 'settings as JSON, over those of ~/.gemini/settings.json',
  },
  policy: {
    type: 'string',
    multiple: true,
    takes: 'FILE',
    help: 'rules (TOML) that count like those of ~/.folio/policies; may be given again',
  },
  audit: {
    type: 'string',
    takes: 'DIR',
    help: 'folder that gets an audit log of asks, decisions, permissions, commands and written files',
  },
  'verify-audit': {
    type: 'string',
    takes: 'FILE',
    help: 'check that nobody changed such a log, and leave: exit code 1 says that somebody did',
  },
  'server-start': {
    type: 'string',
    takes: 'SECONDS',
    help: 'how long the prompt waits for MCP servers (default: 10) and language servers (default: 1.5) to start',
  },
  'detach-tasks': {
    type: 'boolean',
    help: 'leave tasks of MCP servers to their servers: --resume ID gets the results (docs/mcp.md)',
  },
  record: {
    type: 'string',
    takes: 'FILE',
    help: 'add each request to the model and each answer to this file, with secrets of known formats masked',
  },
  replay: {
    type: 'string',
    takes: 'FILE',
    help: 'take the answers from such a file instead of a model; nothing is sent',
  },
  trusted: {
    type: 'boolean',
    help: 'let all count that the workspace brings: hooks, servers, commands, agents, skills, rules that allow',
  },
  untrusted: { type: 'boolean', help: 'treat the workspace as restricted: nothing is written or run' },
  help: { type: 'boolean', short: 'h', help: 'say this' },
} as const;

export const usage = `Folio without a window: one prompt, then it rests.

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

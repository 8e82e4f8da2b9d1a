/** A heading of the page of commands, and a sentence about each command below it. */
export interface CommandGroup {
  readonly heading: string;
  /** By id. The manifest has no place for such a sentence. */
  readonly sentences: Readonly<Record<string, string>>;
}

export const commandGroups: readonly CommandGroup[] = [
  {
    heading: 'Ask and stop',
    sentences: {
      'folio.focusPanel': 'Opens the panel with the cursor in the prompt.',
      'folio.addSelection': 'Attaches the selected lines, or the file, to the prompt.',
      'folio.fixProblem':
        'Sends the problem at the cursor with its code, to be fixed; also in the lightbulb.',
      'folio.explainProblem': 'Explains the problem at the cursor.',
      'folio.addProblem': 'Puts the problem at the cursor into the prompt.',
      'folio.editSelection':
        'Asks below the selected code for a change, sends it, and leaves the result for review.',
      'folio.explainSelection': 'Explains the selected code.',
      'folio.writeTests': 'Writes and runs tests for the selected code.',
      'folio.documentSelection': 'Documents the selected code.',
      'folio.fixTerminal':
        "Sends the terminal's last command and its output, to be fixed. Needs VS Code's shell integration.",
      'folio.addTerminalSelection': "Puts the terminal's selected text into the prompt.",
      'folio.reviewChanges': 'Reviews the uncommitted changes.',
      'folio.resolveConflicts':
        "Resolves Git's conflicts in the open file, or in those chosen in source control.",
      'folio.fixStopped': "Sends the debugger's exception with stack and variables, to be fixed.",
      'folio.accept': 'Accepts what the card asks: runs the command, makes the change, approves the plan.',
      'folio.deny': 'Denies what the card asks, without a reason.',
      'folio.acceptAlways': 'Accepts, and does not ask again in this workspace, if the card offers that.',
      'folio.nextCard': 'Goes to the next card.',
      'folio.previousCard': 'Goes to the previous card.',
      'folio.stop': 'Stops the agent at once and cleanly.',
      'folio.acceptProposal': 'Accepts the proposal in the diff editor.',
      'folio.rejectProposal': 'Rejects the proposal in the diff editor.',
    },
  },
  {
    heading: 'Sessions and chapters',
    sentences: {
      'folio.newSession': 'Begins a new session; the previous one continues in the background.',
      'folio.runInBackground': 'Lets the session go on in the background host, also when the window closes.',
      'folio.newInWorktree':
        'Begins a session in a Git worktree of its own, which begins with your files as they stand.',
      'folio.newSessionWithAgent':
        'Begins a session that an agent of another maker drives (`docs/external-agents.md`).',
      'folio.addAgent': 'Adds an agent that speaks the Agent Client Protocol, and begins a session with it.',
      'folio.showWorktreeChanges': "Lists the files of the session's worktree that would be brought home.",
      'folio.bringHome':
        "Brings the changes of the session's worktree into your files, to be reviewed there.",
      'folio.compareModels':
        'Chooses two to four models and puts `/compare` into the prompt: each does the task in a worktree of its own.',
      'folio.showComparison': 'Shows how the attempts of the newest comparison stand.',
      'folio.showStatistics':
        'Shows what sessions took, by day, model, project and tool, as plots, tables and CSV.',
      'folio.updateWorktree':
        "Brings what changed in your files into the session's worktree; the agent resolves conflicts.",
      'folio.removeWorktree': "Removes the session's worktree, unless something would be lost.",
      'folio.openInEditor': 'Moves the session from the side bar to an editor tab.',
      'folio.newInEditor': 'Begins a new session in a tab beside the editor.',
      'folio.openInWindow': 'Moves the session to its own window.',
      'folio.showHistory': 'Lists the sessions of this workspace, to find, open, rename, delete or export.',
      'folio.showOutline': 'Lists the chapters, to jump to one.',
      'folio.openSessionFrom':
        'Opens a session file, as a run in CI leaves it ([CI](ci.md)): its history, chapters and changes.',
      'folio.openAgentSession':
        'Opens a session of Claude Code, Gemini CLI, Codex, opencode or Copilot that lies on this machine ([how](ci.md#open-a-session-of-another-agent)).',
      'folio.openTranscript':
        'Opens the session as text that follows the work, for searching or a screen reader.',
      'folio.copyChapter': 'Copies a chapter as Markdown.',
      'folio.renameChapter': 'Renames a chapter.',
      'folio.exportChapter': 'Writes a chapter to a Markdown file.',
      'folio.exportSession':
        'Writes the session with its subagents and models, as Markdown or JSON. Secrets of known formats are masked.',
      'folio.renameSession': 'Renames the session.',
      'folio.deleteSession': 'Deletes the session. *Undo* restores it.',
    },
  },
  {
    heading: 'Changes',
    sentences: {
      'folio.openChanges': "Shows the session's changes as diffs.",
      'folio.review.nextHunk': 'Goes to the next change, also in the next file.',
      'folio.review.previousHunk': 'Goes to the previous change.',
      'folio.review.acceptHunk': 'Accepts the change at the cursor and goes to the next.',
      'folio.review.rejectHunk': 'Rejects the change at the cursor and goes to the next.',
      'folio.review.peekHunk': 'Shows the text that the change removed.',
      'folio.review.acceptFile': 'Accepts all changes of the file.',
      'folio.review.rejectFile': 'Rejects all changes of the file.',
      'folio.review.openFileChanges': 'Shows the changes of the file as a diff.',
      'folio.review.acceptAll': 'Accepts all changes in review.',
      'folio.review.rejectAll': 'Rejects all changes in review.',
      'folio.review.bringBackLastRejected': 'Restores the change that was rejected last.',
      'folio.comments.begin': "Opens a comment form on the selected lines, or the cursor's line.",
      'folio.comments.send': 'Sends all open comments as one prompt.',
      'folio.rewind': 'Goes back to before a prompt or chapter, with its files, conversation or both.',
      'folio.undoCommand':
        "Reverts one command's or agent's file changes, and nothing that was written since.",
      'folio.undoRewind': 'Undoes the last rewind.',
      'folio.draftCommitMessage':
        'Writes a commit message from the chapters and the staged, else all changes; also a button in source control.',
      'folio.draftPullRequest': "Writes a document from the chapters, the branch's commits and its diff.",
    },
  },
  {
    heading: 'Model, mode and permissions',
    sentences: {
      'folio.connect': 'Shows the ways to connect a model.',
      'folio.setApiKey': "Stores a key in VS Code's secret storage.",
      'folio.clearApiKey': 'Removes the stored key.',
      'folio.selectModel': "Chooses the model, as the panel's foot does.",
      'folio.selectEffort': 'Chooses how hard the model thinks, for each model that offers it.',
      'folio.selectFallback':
        'Chooses the model, of any provider, that takes over when yours is busy or out of quota.',
      'folio.setApprovalMode': "Chooses what runs without asking, as the panel's foot does.",
      'folio.showPermissions':
        'Lists every rule in force with its place, and what you allowed, to revoke it.',
      'folio.startRehearsal': 'Starts the scripted model, which needs no key.',
    },
  },
  {
    heading: 'Context and memory',
    sentences: {
      'folio.compressContext': 'Summarises the oldest part of the session, and asks before it applies.',
      'folio.undoCompression': 'Sends the whole session again.',
      'folio.showRequest':
        'Shows the newest request: system prompt, tools, every message. Secrets of known formats are masked.',
      'folio.showMemory': 'Shows the loaded standing instructions and their files.',
      'folio.showInbox': 'Opens the facts and skills that sessions propose to keep.',
      'folio.refreshMemory': 'Reads the files of standing instructions again.',
      'folio.initMemory': 'Writes or improves the memory file of the project, as `/init` does.',
    },
  },
  {
    heading: 'What is added',
    sentences: {
      'folio.showAdditions':
        'Lists all added servers, commands, agents and skills, to switch each on or off.',
      'folio.showServers': 'Opens the page of MCP servers.',
      'folio.addServer': 'Asks for a server step by step, tests it and saves it, as `/mcp add` does.',
      'folio.setUpExtension': 'Asks for the values that an extension needs.',
      'folio.manageExtensions':
        'Installs, updates, switches and removes extensions of the agent, as `/extensions` does.',
      'folio.showHooks': 'Lists the hooks, and those that wait for your decision.',
      'folio.openSettings': "Shows Folio's settings.",
      'folio.openKeybindings': "Shows Folio's keys, to change them.",
      'folio.openWalkthrough': 'Shows the first steps.',
      'folio.openLog': 'Opens the log, for a report.',
      'folio.answerCommand':
        'Shows the terminal of a command that waits for you to type; of several you pick one.',
      'folio.reportBug':
        'Writes the facts for a report, with the newest requests if you add them, as `/bug` does. Nothing is sent.',
    },
  },
];

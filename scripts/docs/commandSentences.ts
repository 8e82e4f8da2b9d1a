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
        'Sends the problem at the cursor, with the code around it, to be fixed. The lightbulb offers it, too.',
      'folio.explainProblem': 'Has the problem at the cursor explained.',
      'folio.addProblem': 'Puts the problem at the cursor into the prompt, to be written on.',
      'folio.editSelection':
        'Asks below the selected code what should become of it, and sends it. The answer is a change to review.',
      'folio.explainSelection': 'Has the selected code explained.',
      'folio.writeTests': 'Has tests written for the selected code, and run.',
      'folio.documentSelection': 'Has the selected code documented.',
      'folio.fixTerminal':
        'Sends the last command of the terminal with its output, to be fixed. Needs the shell integration of VS Code.',
      'folio.addTerminalSelection': 'Puts the selected text of the terminal into the prompt.',
      'folio.reviewChanges': 'Has the uncommitted changes reviewed.',
      'folio.resolveConflicts':
        'Has the conflicts resolved that Git marked in the file of the editor, or in those chosen in source control.',
      'folio.fixStopped':
        'Sends the exception at which the debugger has stopped, with stack and variables, to be fixed.',
      'folio.accept': 'Accepts what the card asks: runs the command, makes the change, approves the plan.',
      'folio.deny': 'Denies what the card asks, without a reason.',
      'folio.acceptAlways':
        'Accepts what the card asks, and does not ask about it in this workspace again. Does nothing where the card offers no such permission.',
      'folio.nextCard': 'Goes to the next card of the transcript.',
      'folio.previousCard': 'Goes to the card before.',
      'folio.stop': 'Ends what the agent is doing, at once and cleanly.',
      'folio.acceptProposal': 'Accepts the proposal in the diff editor.',
      'folio.rejectProposal': 'Rejects the proposal in the diff editor.',
    },
  },
  {
    heading: 'Sessions and chapters',
    sentences: {
      'folio.newSession': 'Begins a new session. The session before goes on in the background.',
      'folio.openInEditor': 'Moves the session from the side bar to a tab of the editor.',
      'folio.newInEditor': 'Begins a new session in a tab beside the editor; the others stay where they are.',
      'folio.openInWindow': 'Moves the session to a window of its own.',
      'folio.showHistory': 'Lists the sessions of this workspace: find, open, rename, delete, export.',
      'folio.showOutline': 'Lists the chapters, to jump by.',
      'folio.openTranscript':
        'Opens the session as text to read, chapter by chapter, for a screen reader or to search in. It follows the work.',
      'folio.copyChapter': 'Puts a chapter on the clipboard, as Markdown.',
      'folio.renameChapter': 'Gives a chapter another title.',
      'folio.exportChapter': 'Writes a chapter to a file, as Markdown.',
      'folio.exportSession':
        'Writes the whole session as Markdown to read, or as JSON for programs, with what subagents did and which model worked. Secrets of known formats are masked.',
      'folio.renameSession': 'Gives the shown session another title.',
      'folio.deleteSession': 'Deletes the shown session. *Undo* brings it back.',
    },
  },
  {
    heading: 'Changes',
    sentences: {
      'folio.openChanges': 'Shows what the session changed, as diffs.',
      'folio.review.nextHunk': 'Goes to the next change, after the last one to that of the next file.',
      'folio.review.previousHunk': 'Goes to the change before.',
      'folio.review.acceptHunk': 'Accepts the change at the cursor and goes to the next.',
      'folio.review.rejectHunk': 'Rejects the change at the cursor and goes to the next.',
      'folio.review.peekHunk': 'Shows the text that the change removed.',
      'folio.review.acceptFile': 'Accepts all changes of the file.',
      'folio.review.rejectFile': 'Rejects all changes of the file.',
      'folio.review.openFileChanges': 'Shows the changes of the file as a diff.',
      'folio.review.acceptAll': 'Accepts all changes that wait for review.',
      'folio.review.rejectAll': 'Rejects all changes that wait for review.',
      'folio.review.bringBackLastRejected': 'Brings back the change that was rejected last.',
      'folio.comments.begin':
        'Opens a form for a comment on the selected lines, or on the line of the cursor.',
      'folio.comments.send': 'Gives all open comments to the agent as one prompt.',
      'folio.rewind': 'Goes back to before a prompt or a chapter, with its files, its conversation or both.',
      'folio.undoCommand':
        'Takes back what one command or agent changed in files, and nothing that was written since.',
      'folio.undoRewind': 'Takes the last rewind back.',
      'folio.draftCommitMessage':
        'Writes a commit message from the chapters and from what is staged, else from what changed, into the box of source control. It is also a button there.',
      'folio.draftPullRequest':
        "Writes a description from the chapters, the branch's commits and its diff. It opens as a document.",
    },
  },
  {
    heading: 'Model, mode and permissions',
    sentences: {
      'folio.connect':
        'Shows the ways to a model: a Gemini key, what VS Code offers, a model server, Vertex AI, the rehearsal.',
      'folio.setApiKey': 'Stores a key in the secret storage of VS Code.',
      'folio.clearApiKey': 'Removes the stored key.',
      'folio.selectModel': 'Chooses the model. The foot of the panel does the same.',
      'folio.selectEffort': 'Chooses how hard the model thinks, where it offers that; kept for each model.',
      'folio.selectFallback':
        'Chooses the model, of any provider, that goes on when yours is busy or its quota is used up.',
      'folio.setApprovalMode': 'Chooses what runs without asking. The foot of the panel does the same.',
      'folio.showPermissions':
        'Lists every rule in force and where it stands, and what you allowed, to take it back.',
      'folio.startRehearsal': 'Lets the scripted model answer, which needs no key.',
    },
  },
  {
    heading: 'Context and memory',
    sentences: {
      'folio.compressContext':
        'Has the oldest part of the session summarised, and shows the summary for you to decide on.',
      'folio.undoCompression': 'Sends the whole session again.',
      'folio.showRequest':
        'Shows the newest request as a document: system prompt, tools, every message. Secrets of known formats are masked.',
      'folio.showMemory': 'Shows the standing instructions that are loaded, and from which files.',
      'folio.showInbox': 'Opens the page of facts and skills that sessions propose to keep.',
      'folio.refreshMemory': 'Reads the files of standing instructions again.',
      'folio.initMemory':
        'Has the agent look at the project and write its memory file, or improve it. `/init` does the same.',
    },
  },
  {
    heading: 'What is added',
    sentences: {
      'folio.showAdditions':
        'Lists all servers, commands, agents and skills that are added, with a button on each row that switches it off or on.',
      'folio.showServers': 'Opens the page of MCP servers.',
      'folio.addServer':
        'Asks step by step how a server is reached and where it is kept, starts it, and writes it down when it works. `/mcp add` does the same.',
      'folio.setUpExtension': 'Asks for the values that an extension needs.',
      'folio.manageExtensions':
        'Installs, updates, switches and removes extensions of the agent. `/extensions` does the same.',
      'folio.showHooks':
        "Lists the programs that run around the agent's work, and those that wait for your word.",
      'folio.openSettings': "Shows Folio's settings.",
      'folio.openKeybindings': "Shows Folio's keys, to change them.",
      'folio.openWalkthrough': 'Shows the first steps.',
      'folio.openLog': 'Shows what went wrong, for a report.',
      'folio.answerCommand':
        'Shows the terminal of a command that waits for you to type, as the button on its card does; where several wait, you pick one.',
      'folio.reportBug':
        'Writes the facts for a report about Folio as a document, and the newest requests to the model if you add them once you have seen them. Nothing is sent. `/bug` does the same.',
    },
  },
];

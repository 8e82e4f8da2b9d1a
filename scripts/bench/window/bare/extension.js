/*
 * The least that does what Folio's panel does: a webview that sends a prompt, a host that asks the model and passes on
 * each chunk as it comes, sessions that are lists of texts. No Markdown, no journal, no tools.
 */

const { readFile } = require('node:fs/promises');
const vscode = require('vscode');

/** What a page gets of a long session at first. */
const shownTexts = 50;

let sessions = [[], []];
let page;

exports.activate = context => {
  const commands = { 'bare.fill': fill, 'bare.open': open, 'bare.read': read };
  for (const [name, run] of Object.entries(commands))
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  context.subscriptions.push(
    vscode.commands.registerCommand('bare.storage', () => context.storageUri.fsPath),
    vscode.window.registerWebviewViewProvider('bare.panel', {
      resolveWebviewView: ({ webview }) => show(webview, context.extensionUri),
    }),
  );
};

function show(webview, folder) {
  page = webview;
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.onDidReceiveMessage(({ type, prompt }) => {
    if (type === 'ask') return ask(prompt);
    if (type === 'switch') sessions.reverse();
    return shown();
  });
  const script = webview.asWebviewUri(vscode.Uri.joinPath(folder, 'page.js'));
  webview.html = `<!DOCTYPE html><html><body style="margin:0;display:flex;flex-direction:column;height:100vh">
    <button class="switch">Switch</button>
    <div id="log" style="overflow:auto;flex:1"></div><textarea></textarea>
    <script src="${script}"></script></body></html>`;
}

function shown() {
  const texts = sessions[0].slice(-shownTexts).map(({ parts }) => parts[0].text ?? '');
  return page.postMessage({ type: 'shown', texts });
}

/** As many steps as a session has that has read so many files. */
function fill(steps, text) {
  sessions = [sessions[0], []].reverse();
  for (let step = 0; step < steps; step++) {
    sessions[0].push({ role: 'model', parts: [{ text: `Step ${step}` }] });
    sessions[0].push({ role: 'user', parts: [{ text }] });
  }
  return shown();
}

async function open(journal, ending) {
  const lines = (await readFile(journal, 'utf8')).split('\n');
  const events = lines.filter(line => line !== '').map(line => JSON.parse(line));
  const texts = events.filter(({ type }) => type === 'text.appended' || type === 'chapter.started');
  sessions[0] = texts.map(({ text, title }) => ({ role: 'model', parts: [{ text: text ?? title }] }));
  sessions[0].push({ role: 'model', parts: [{ text: ending }] });
  await shown();
}

async function read(path) {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: 'perf', path }));
  return document.getText();
}

async function ask(prompt) {
  const session = sessions[0];
  session.push({ role: 'user', parts: [{ text: prompt }] });
  const response = await fetch(`${process.env.FOLIO_BENCH_URL}/v1beta/models/bench:streamGenerateContent?alt=sse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ contents: session, tools: [{ functionDeclarations: [] }] }),
  });
  page.postMessage({ type: 'added', text: '' });
  let answer = '';
  let rest = '';
  for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + bytes).split('\r\n\r\n');
    rest = events.pop();
    for (const event of events) {
      const { text } = JSON.parse(event.slice('data: '.length)).candidates[0].content.parts[0];
      answer += text;
      page.postMessage({ type: 'appended', text });
    }
  }
  session.push({ role: 'model', parts: [{ text: answer }] });
}

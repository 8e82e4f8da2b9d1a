const host = acquireVsCodeApi();
const field = document.querySelector('textarea');
const log = document.querySelector('#log');

field.addEventListener('keydown', event => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  host.postMessage({ type: 'ask', prompt: field.value });
  field.value = '';
});
document.querySelector('.switch').addEventListener('click', () => host.postMessage({ type: 'switch' }));
addEventListener('message', ({ data }) => {
  if (data.type === 'appended') log.lastChild?.append(data.text);
  else if (data.type === 'added') log.append(answer(data.text));
  else log.replaceChildren(...data.texts.map(answer));
  log.scrollTop = log.scrollHeight;
});
host.postMessage({ type: 'ready' });
field.focus();

function answer(text) {
  const element = document.createElement('pre');
  element.className = 'answer';
  element.textContent = text;
  return element;
}

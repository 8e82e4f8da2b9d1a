/*
 * Draws the pictures of the walkthrough: five states of the panel. They use colour variables of VS Code, so one file
 * serves all themes.
 */

/** Variables of the theme, each with a fallback. */
const colours = {
  page: 'var(--vscode-sideBar-background, var(--vscode-editor-background))',
  card: 'var(--vscode-editor-background)',
  line: 'var(--vscode-contrastBorder, var(--vscode-widget-border))',
  text: 'var(--vscode-foreground)',
  quiet: 'var(--vscode-descriptionForeground)',
  accent: 'var(--vscode-focusBorder)',
  button: 'var(--vscode-button-background)',
  buttonText: 'var(--vscode-button-foreground)',
  secondary: 'var(--vscode-button-secondaryBackground, var(--vscode-editor-background))',
  secondaryText: 'var(--vscode-button-secondaryForeground, var(--vscode-foreground))',
  added: 'var(--vscode-diffEditor-insertedLineBackground, var(--vscode-editor-background))',
  removed: 'var(--vscode-diffEditor-removedLineBackground, var(--vscode-editor-background))',
} as const;

type Colour = keyof typeof colours;

const width = 480;
const left = 24;
const inner = width - 2 * left;

/** Pictures by path, relative to the repository. */
export const walkthroughPictures: Readonly<Record<string, string>> = {
  'media/walkthrough-connect.svg': picture(388, [heading('Connect a model'), ...connectRows()]),
  'media/walkthrough-ask.svg': picture(388, [
    box(44, 78, 'card'),
    words(left + 14, 70, 'The invoice test fails. Find out why and fix it.'),
    chip(left + 14, 86, 'src/invoice.js'),
    ...chapterLine(140, '1', 'Reading the invoice code', 'open'),
    words(left + 24, 174, 'Each line is rounded before the lines are added,'),
    words(left + 24, 194, 'so the error grows with their number.'),
    words(left + 24, 222, '› Read 3 files', 'quiet'),
    ...composer(),
  ]),
  'media/walkthrough-decide.svg': picture(388, [
    ...chapterLine(44, '2', 'Fixing the rounding', 'open'),
    box(74, 206, 'card', 'accent'),
    words(left + 14, 100, 'Edit src/invoice.js', 'text', 600),
    words(width - left - 66, 100, '+1  −1', 'quiet'),
    ...diff(116),
    button(left + 14, 236, 'Accept', 'primary'),
    button(left + 94, 236, 'Deny…'),
    button(left + 166, 236, 'Open diff'),
    ...composer(),
  ]),
  'media/walkthrough-chapters.svg': picture(388, [
    ...chapterLine(44, '1', 'Reading the invoice code', 'folded'),
    words(left + 24, 78, 'The total rounds each line before it adds them up.', 'quiet'),
    ...chapterLine(104, '2', 'Reproducing the failing test', 'folded'),
    words(left + 24, 138, 'One of 6 tests fails: expected 120.00, got 120.01.', 'quiet'),
    ...chapterLine(164, '3', 'Fixing the rounding', 'open'),
    words(left + 24, 198, 'The sum is rounded once, and all tests pass.'),
    words(left + 24, 226, '› Changed src/invoice.js   +1  −1', 'quiet'),
    ...composer(),
  ]),
  'media/walkthrough-memory.svg': picture(388, [
    box(44, 210, 'card'),
    words(left + 14, 70, 'GEMINI.md', 'quiet'),
    code(left + 14, 104, '# Invoices'),
    code(left + 14, 136, '- Amounts are cents, never floats.'),
    code(left + 14, 160, '- Run the tests with: npm test'),
    code(left + 14, 184, '- Round once, at the end of a sum.'),
    words(left + 14, 228, 'Every session reads this first.', 'quiet'),
    ...composer('/init'),
  ]),
};

function picture(height: number, parts: readonly string[]): string {
  const frame = rectangle(
    { x: 0.5, y: 0.5, width: width - 1, height: height - 1, radius: 6 },
    'page',
    'line',
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="var(--vscode-font-family, sans-serif)" font-size="14">`,
    ...[frame, ...parts].map(part => `  ${part}`),
    '</svg>',
    '',
  ].join('\n');
}

function heading(title: string): string {
  return words(left, 44, title, 'text', 600);
}

function connectRows(): readonly string[] {
  const rows = [
    ['Gemini API key', "Tried at once, kept in VS Code's secret storage"],
    ['Models in VS Code', 'Models from other extensions'],
    ['Model server', 'Ollama, LM Studio, llama.cpp or vLLM'],
    ['Vertex AI', 'Gemini in a project of yours at Google Cloud'],
    ['Rehearsal', 'A script answers; it needs no key'],
  ] as const;
  const drawn = rows.map(([title, what], index) => {
    const y = 62 + index * 60;
    return [
      box(y, 60, 'card', index === 0 ? 'accent' : 'line', 0),
      words(left + 16, y + 25, title, 'text', 600),
      words(left + 16, y + 45, what, 'quiet'),
    ];
  });
  // The focused row is drawn last, so that its frame covers that of its neighbour.
  return drawn.toReversed().flat();
}

function chapterLine(y: number, number: string, title: string, state: 'open' | 'folded'): readonly string[] {
  const twistie = state === 'open' ? 'M2 5l5 5 5-5' : 'M5 2l5 5-5 5';
  const tick = `M${width - left - 16} ${y + 7}l4 4 8-8`;
  return [
    path(`translate(${left} ${y})`, twistie, 'quiet'),
    words(left + 24, y + 12, number, 'quiet', 600),
    words(left + 42, y + 12, title, 'text', 600),
    ...(state === 'folded' ? [path('', tick, 'quiet')] : []),
  ];
}

function diff(y: number): readonly string[] {
  const lines = [
    ['', '  const tax = net * rate;'],
    ['removed', '- return round(net) + round(tax);'],
    ['added', '+ return net + roundCents(tax);'],
    ['', '}'],
  ] as const;
  return lines.flatMap(([kind, text], index) => {
    const at = { x: left + 1, y: y + index * 26, width: inner - 2, height: 26, radius: 0 };
    const line = code(left + 14, at.y + 18, text);
    return kind === '' ? [line] : [rectangle(at, kind), line];
  });
}

function composer(text?: string): readonly string[] {
  return [
    box(304, 60, 'card', text === undefined ? 'line' : 'accent'),
    words(
      left + 14,
      330,
      text ?? 'Ask Folio… @ for context, / for commands',
      text === undefined ? 'quiet' : 'text',
    ),
    path(`translate(${width - left - 34} 334)`, 'M2 2l16 7-16 7 3-7z', 'quiet'),
  ];
}

function box(y: number, height: number, fill: Colour, stroke: Colour = 'line', radius = 4): string {
  return rectangle({ x: left, y, width: inner, height, radius }, fill, stroke);
}

function chip(x: number, y: number, text: string): string {
  const frame = { x, y, width: text.length * 7.4 + 16, height: 24, radius: 4 };
  return `${rectangle(frame, 'page', 'line')}${words(x + 8, y + 17, text, 'quiet')}`;
}

function button(x: number, y: number, label: string, kind: 'primary' | 'secondary' = 'secondary'): string {
  const frame = { x, y, width: label.length * 8 + 24, height: 28, radius: 2 };
  const [fill, text] =
    kind === 'primary' ? (['button', 'buttonText'] as const) : (['secondary', 'secondaryText'] as const);
  return `${rectangle(frame, fill, 'line')}${words(x + 12, y + 19, label, text)}`;
}

interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
}

function rectangle(frame: Frame, fill: Colour, stroke?: Colour): string {
  const border = stroke === undefined ? '' : ` stroke="${colours[stroke]}"`;
  const { x, y, radius } = frame;
  return `<rect x="${x}" y="${y}" width="${frame.width}" height="${frame.height}" rx="${radius}" fill="${colours[fill]}"${border}/>`;
}

function path(transform: string, d: string, stroke: Colour): string {
  const at = transform === '' ? '' : ` transform="${transform}"`;
  return `<path${at} d="${d}" fill="none" stroke="${colours[stroke]}" stroke-width="1.5"/>`;
}

function words(x: number, y: number, text: string, fill: Colour = 'text', weight = 400): string {
  const expensive = weight === 400 ? '' : ` font-weight="${weight}"`;
  return `<text x="${x}" y="${y}" fill="${colours[fill]}"${expensive}>${escaped(text)}</text>`;
}

function code(x: number, y: number, text: string): string {
  return `<text x="${x}" y="${y}" fill="${colours.text}" font-family="var(--vscode-editor-font-family, monospace)" font-size="13" xml:space="preserve">${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

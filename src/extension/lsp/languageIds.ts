/** Returns the protocol's language id of a file by its extension; the extension itself if unknown. */
export function languageIdOf(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return languageIds[ending] ?? ending;
}

const languageIds: Readonly<Record<string, string | undefined>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascriptreact',
  py: 'python',
  pyi: 'python',
  rs: 'rust',
  rb: 'ruby',
  cs: 'csharp',
  kt: 'kotlin',
  h: 'c',
  cc: 'cpp',
  cxx: 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hxx: 'cpp',
  m: 'objective-c',
  mm: 'objective-cpp',
  sh: 'shellscript',
  ps1: 'powershell',
  ex: 'elixir',
  exs: 'elixir',
  hs: 'haskell',
  yml: 'yaml',
  md: 'markdown',
};

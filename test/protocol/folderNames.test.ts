import { describe, expect, test } from 'vitest';
import { ensureFolderName, withFolderName } from '../../src/protocol/words/folderNames.ts';

const three = ['/w/alpha', '/w/beta', '/w/beta/inner'];

describe('a path as a user reads it', () => {
  test('begins with the name of its folder where there are several', () => {
    expect(withFolderName('src/a.ts', three)).toBe('alpha/src/a.ts');
    expect(withFolderName('.', three)).toBe('alpha');
    expect(withFolderName('/w/beta/src/b.ts', three)).toBe('beta/src/b.ts');
    expect(withFolderName('/w/beta', three)).toBe('beta');
  });

  test('belongs to the nearest folder, and stays as it is outside of all', () => {
    expect(withFolderName('/w/beta/inner/c.ts', three)).toBe('inner/c.ts');
    expect(withFolderName('/w/betamax/c.ts', three)).toBe('/w/betamax/c.ts');
    expect(withFolderName('/tmp/out.log', three)).toBe('/tmp/out.log');
  });

  test('stays as it is where there is one folder or none', () => {
    expect(withFolderName('src/a.ts', ['/w/alpha'])).toBe('src/a.ts');
    expect(withFolderName('src/a.ts', [])).toBe('src/a.ts');
  });

  test('is whole where two folders are called the same', () => {
    const twins = ['/w/api', '/x/api'];
    expect(withFolderName('/x/api/a.ts', twins)).toBe('/x/api/a.ts');
    expect(withFolderName('a.ts', twins)).toBe('/w/api/a.ts');
  });

  test('is not named twice when a model has named the folder', () => {
    expect(ensureFolderName('beta/src/b.ts', three)).toBe('beta/src/b.ts');
    expect(ensureFolderName('src/b.ts', three)).toBe('alpha/src/b.ts');
  });

  test('of Windows is read with its own slashes', () => {
    const folders = ['C:\\w\\alpha', 'C:\\w\\beta'];
    expect(withFolderName('C:\\w\\beta\\src\\b.ts', folders)).toBe('beta/src/b.ts');
  });
});

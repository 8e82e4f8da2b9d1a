import { isRecord } from '../../base/record.ts';
import { type Effort, effortNames, isNonNegativeNumber, type ModelPriceSetting } from '../settings.ts';

/** A file name without a path. */
export function isFileName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/^\.{1,2}$|[/\\:\0]/.test(value);
}

/** File names without glob characters. */
export function isFolderNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(item => isFileName(item) && !/[*?[\]{}()|!,]/.test(item));
}

/** Globs that stay below a folder. */
export function isGlobs(value: unknown): value is readonly string[] {
  const leadsOut = (glob: string) => /^[\\/~]|^\w:|(^|[\\/])\.\.([\\/]|$)/.test(glob);
  return isFolderList(value) && value.every(glob => !leadsOut(glob));
}

/** Paths, which are checked for existence when they are used. */
export function isFolderList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.every(item => typeof item === 'string' && item.trim() !== '' && !item.includes('\0'))
  );
}

/** Commands by glob. */
export function isCommandsByGlob(value: unknown): value is Readonly<Record<string, string>> {
  const isLine = (line: unknown) => typeof line === 'string' && line.trim() !== '' && !line.includes('\0');
  return isRecord(value) && Object.values(value).every(isLine);
}

/** Above 0, at most 1. */
export function isFraction(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 1;
}

export function isPricesByModel(value: unknown): value is Readonly<Record<string, ModelPriceSetting>> {
  return isRecord(value) && Object.values(value).every(isPrice);
}

function isPrice(value: unknown): value is ModelPriceSetting {
  if (!isRecord(value) || !isNonNegativeNumber(value.input) || !isNonNegativeNumber(value.output))
    return false;
  return [value.cached, value.written].every(price => price === undefined || isNonNegativeNumber(price));
}

export function isNameMap(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every(each => typeof each === 'string' && each !== '');
}

export function isEffortsByModel(value: unknown): value is Readonly<Record<string, Effort>> {
  return isRecord(value) && Object.values(value).every(isEffort);
}

function isEffort(value: unknown): value is Effort {
  return effortNames.some(name => name === value);
}

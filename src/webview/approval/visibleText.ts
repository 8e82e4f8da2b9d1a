/*
 * What a person approves must not hold what cannot be seen. The host escapes too: this is the last place before
 * the eye, and does not trust that the text came through there.
 */

/** Every character that draws as nothing, turns the direction or passes for a blank, as `\u{202E}`. */
export function visibleText(text: string): string {
  return text.replace(hidden, each => `\\u{${each.codePointAt(0)!.toString(16).toUpperCase()}}`);
}

// Behind a picture the joiner and variation selector 16 belong to it.
const hidden =
  /(?<!\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?)[\u200D\uFE0F]|(?![\u200D\uFE0F])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}|(?![\t\n\r])\p{Cc}|\r(?!\n)/gu;

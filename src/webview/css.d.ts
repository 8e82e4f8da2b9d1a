// The build turns imported style sheets into one file beside the script; there is nothing to import from them.
declare module '*.css';

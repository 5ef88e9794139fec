const repeat = (unit: string) => (length: number) => unit.repeat(Math.ceil(length / unit.length));
const behind = (start: string, unit: string) => (length: number) => start + repeat(unit)(length);

/** A text of a fifth of the length, with statements behind it that read it over and over. */
const onText = (unit: string) => (length: number) => behind(`s="${'a'.repeat(length / 5)}";`, unit)((length * 4) / 5);

/** Scripts of a length that is given, which would cost a naive reader time or memory beyond all measure. */
export const HOSTILE_SCRIPTS: Readonly<Record<string, (length: number) => string>> = {
  operators: repeat('+'),
  prefixes: repeat('!'),
  'a sum': behind('x=', '"a"+'),
  'a text that doubles': behind('s="ab";', 's+=s;'),
  'a text that doubles and is written': behind('s="ab";', 's=s+s;document.write(s);'),
  'a text of two kinds': behind('x="a";', 'x=a?x+"b":x+"c";'),
  'a list that doubles': behind('a=[1];', 'a=[...a,...a];'),
  'a list that is joined to itself': behind('a=[1];', 'a=a.concat(a);'),
  'a record that is copied': behind('a={b:1};', 'a={...a,...a};'),
  'a text that is split': onText('s.split("").reverse().join("");'),
  'a text that grows by replacement': onText('s=s.replaceAll("a",s);'),
  'nested brackets': repeat('('),
  'nested lists': repeat('['),
  'nested blocks': repeat('{'),
  'nested functions': repeat('function(){'),
  'nested arrows': repeat('a=>'),
  'nested arrows with brackets': repeat('(a)=>{'),
  'nested conditions': repeat('a?'),
  'nested templates': repeat('`${'),
  'strings without an end': repeat('"a'),
  'strings that lines end': repeat("'\n"),
  'regular expressions without an end': behind('=', '=/['),
  'comments without an end': repeat('/*'),
  'functions that call one another': behind(
    'function f(a){g(a+1);g(a+2);g(a+3)}function g(a){f(a+1);f(a+2);f(a+3)}',
    'f(1);',
  ),
  'a tower of functions': (length) => {
    const next = (i: number) => `function f${i}(a){return f${i + 1}(a+"x")+f${i + 1}(a+"y")+f${i + 1}(a+"z")}`;
    return `${Array.from({ length: Math.ceil(length / 60) }, (_, i) => next(i)).join('')}location=f0("a")`;
  },
  'scripts in scripts': repeat(`eval("eval('eval(1)')");`),
  elements: repeat('e=document.createElement("p");document.body.append(e);'),
  'nested elements': behind('e=document.body;', 'f=document.createElement("p");e.append(f);e=f;'),
};

/** Markup of a page by what it does. */
export type Pages = readonly (readonly [name: string, page: string])[];

const script = (code: string) => `<p>A page with text of its own.</p><script>${code}</script>`;
const METADATA = 'http://169.254.169.254/latest/meta-data';
const PRIVATE = 'http://10.0.0.1/x';

/** Pages that try to reach what the egress policy refuses, each in another way. */
export const ESCAPES: Pages = [
  ['a page without tricks', '<p>A page with text of its own.</p>'],
  ...[
    METADATA,
    PRIVATE,
    'https://10.0.0.1/x',
    'http://127.0.0.1:8080/x',
    'http://[::1]:8080/x',
    'http://localhost:8080/x',
  ].flatMap(
    (url): Pages => [
      [`fetch ${url}`, script(`fetch('${url}',{mode:'no-cors'})`)],
      [`image ${url}`, script(`new Image().src='${url}'`)],
      [`frame ${url}`, `<p>Text</p><iframe src="${url}"></iframe>`],
      [`navigation to ${url}`, script(`location='${url}'`)],
    ],
  ),
  ['a number for an address', script("fetch('http://2852039166/',{mode:'no-cors'});fetch('http://0x0a000001/x')")],
  ['a mapped address', script("fetch('http://[::ffff:10.0.0.1]/x');fetch('http://[::ffff:a9fe:a9fe]/')")],
  [
    'a name of a private address',
    script("fetch('http://inside.pages-lab.com/x');new Image().src='http://inside2.pages-lab.com/x'"),
  ],
  [
    'a name that is bound again',
    script(
      "setInterval(()=>fetch('http://rebind.pages-lab.com/'+Math.random(),{cache:'no-store',mode:'no-cors'}).catch(()=>{}),50)",
    ),
  ],
  ['a beacon', script(`navigator.sendBeacon('${PRIVATE}','x');fetch('${PRIVATE}',{keepalive:true,method:'POST'})`)],
  ['a WebSocket', script("new WebSocket('ws://10.0.0.1/x');new WebSocket('ws://127.0.0.1:8080/x')")],
  ['events', script(`new EventSource('${PRIVATE}');new EventSource('http://127.0.0.1:8080/x')`)],
  ['WebTransport', script("new WebTransport('https://10.0.0.1/x').ready.catch(()=>{})")],
  [
    'WebRTC',
    script(
      "const p=new RTCPeerConnection({iceServers:[{urls:['stun:10.0.0.1:80','turn:10.0.0.1:80?transport=tcp']}].map(s=>({...s,username:'a',credential:'b'}))});p.createDataChannel('x');p.createOffer().then(o=>p.setLocalDescription(o))",
    ),
  ],
  [
    'hints',
    `<link rel=preconnect href="${PRIVATE}"><link rel=dns-prefetch href="//inside.pages-lab.com"><link rel=prefetch href="${PRIVATE}"><link rel=preload as=script href="${PRIVATE}"><link rel=modulepreload href="${PRIVATE}"><p>Text`,
  ],
  [
    'speculation rules',
    `<script type="speculationrules">{"prerender":[{"urls":["${PRIVATE}"]}],"prefetch":[{"urls":["${PRIVATE}"]}]}</script><p>Text`,
  ],
  [
    'styles and fonts',
    `<style>@import url(${PRIVATE});@font-face{font-family:f;src:url(${PRIVATE})}p{font-family:f;background:url(${PRIVATE})}</style><p>Text`,
  ],
  [
    'media and objects',
    `<video src="${PRIVATE}" autoplay></video><object data="${PRIVATE}"></object><embed src="${PRIVATE}"><p>Text`,
  ],
  [
    'a form that is sent',
    `<form action="${PRIVATE}" method=post><input name=a></form><script>document.forms[0].submit()</script>`,
  ],
  ['a refresh', `<meta http-equiv=refresh content="0;url=${PRIVATE}"><p>Text`],
  ['a worker', script(`new Worker(URL.createObjectURL(new Blob(["fetch('${PRIVATE}')"])))`)],
  ['a popup', script(`window.open('${PRIVATE}');window.open('about:blank')`)],
  ['a download', `<a id=a href="${PRIVATE}" download>x</a><script>a.click()</script>`],
  ['a ping', `<a id=a href="#x" ping="${PRIVATE}">x</a><script>a.click()</script>`],
  [
    'a report',
    `<meta http-equiv=Content-Security-Policy content="img-src 'none'; report-uri ${PRIVATE}"><img src=x><p>Text`,
  ],
  ...[
    'file:///etc/passwd',
    'chrome://version',
    'view-source:http://10.0.0.1/x',
    'chrome-extension://x/y',
    'devtools://x',
  ].map((url) => [`navigation to ${url}`, script(`location='${url}';window.open('${url}')`)] as const),
  ['a frame of a file', '<p>Text</p><iframe src="file:///etc/passwd"></iframe>'],
  ['printing', script('print();window.print()')],
  [
    'permissions',
    script(
      'Notification.requestPermission();navigator.geolocation.getCurrentPosition(()=>{});navigator.mediaDevices?.getUserMedia({audio:true})',
    ),
  ],
];

/** Pages that try to stop the browser, or to use up the host. */
export const HOSTILE_PAGES: Pages = [
  ['dialogs without end', script('for(let i=0;i<50;i++){alert(i);confirm(i);prompt(i)}')],
  ['a question before it is left', script("onbeforeunload=()=>'x';location='/next'")],
  ['a thousand frames', script("for(let i=0;i<1000;i++)document.body.append(document.createElement('iframe'))")],
  ['allocation without end', script('const a=[];for(;;)a.push(new Array(1e6).fill(a))')],
  ['navigations without end', script("setTimeout(()=>{location='/'+Math.random()},1)")],
  [
    'deep elements',
    script("let e=document.body;for(let i=0;i<20000;i++){const d=document.createElement('div');e.append(d);e=d}"),
  ],
  ['a script without end', script('for(;;);')],
];

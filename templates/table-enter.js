"use strict";
// The first page: what only this page's own address can read is kept, then the game is shown.
localStorage.setItem("pbem", document.body.dataset.key);
location.replace(document.body.dataset.to);
